/** Tests that the ports for servers of tests are free, and different in each process. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freePorts } from './free-ports.ts'

/** The first port that Linux gives to outgoing connections and to listeners on port 0. */
const FIRST_EPHEMERAL_PORT = 32_768

describe('freePorts', () => {
  it('returns no port twice in a row, and none that the system assigns to other programs', async () => {
    const calls = await Promise.all(Array.from({ length: 10 }, () => freePorts(5)))
    const ports = calls.flat()
    expect(new Set(ports).size).toBe(50)
    expect(ports.filter((port) => port < 1024 || port >= FIRST_EPHEMERAL_PORT)).toEqual([])
  })

  it('leaves out a port that is in use', async () => {
    const [taken] = await freePorts(1)
    const server = createServer()
    await once(server.listen(taken, '127.0.0.1'), 'listening')
    const later = await Promise.all(Array.from({ length: 100 }, () => freePorts(1)))
    server.close()
    expect(later.flat()).not.toContain(taken)
  })

  it('reports when too few ports are free', async () => {
    await expect(freePorts(256)).rejects.toThrow(/^Fewer than 256 ports are free from \d+ to \d+$/)
  })

  it('returns other ports in another process that starts at the same time, whatever its id', async () => {
    const [some, others] = await Promise.all([portsOfProcess(), portsOfProcess()])
    expect(some).toHaveLength(20)
    expect(others).toHaveLength(20)
    expect(some.filter((port) => others.includes(port))).toEqual([])
  })
})

/** Of a process that runs until the test has ended; which ports it tries first depends on its id. */
async function portsOfProcess(): Promise<readonly unknown[]> {
  const id = `Object.defineProperty(process, 'pid', { value: 1 }); process.once('disconnect', () => process.exit())`
  const script = `${id}; process.send(await (await import('${new URL('free-ports.ts', import.meta.url)}')).freePorts(20))`
  const child = fork('-', { execArgv: ['--input-type=module', '--eval', script] })
  onTestFinished(() => child.disconnect())
  const [ports]: readonly unknown[] = await once(child, 'message')
  return [ports].flat()
}
