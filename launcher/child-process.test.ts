/** Tests with real processes that a program is started, supervised, restarted and stopped. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type SupervisedProcess, superviseChild } from './child-process.ts'
import { sendSignal, startedAt, waitUntil } from './processes.ts'

const WAIT_MILLISECONDS = 15_000
/** Reports that it is ready, records its process id, and ends like a program of Havn. */
const SOUND = `
  import { appendFileSync } from 'node:fs'
  process.on('SIGTERM', () => { appendFileSync(process.env.NOTES, 'stopped\\n'); process.exit(0) })
  process.on('disconnect', () => process.exit(0))
  appendFileSync(process.env.NOTES, process.pid + '\\n')
  process.send({ ready: true })
  setInterval(() => {}, 1000)
`
let folder: string
let reported: string[]
let children: SupervisedProcess[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'havn-child-'))
  reported = []
  children = []
})

afterEach(async () => {
  for (const child of children) {
    child.kill()
    await child.stop()
  }
  await rm(folder, { recursive: true })
})

type RunOptions = { readonly readyMilliseconds?: number; readonly environment?: Record<string, string> }

async function run(source: string, { environment, ...limits }: RunOptions = {}): Promise<SupervisedProcess> {
  const file = join(folder, 'program.mjs')
  await writeFile(file, source)
  const program = { name: 'pump', file, options: [], environment: { NOTES: join(folder, 'notes'), ...environment } }
  const say = (line: string) => void reported.push(line)
  const child = superviseChild({ program, logFile: join(folder, 'pump.log'), say, ...limits })
  children.push(child)
  return child
}

async function notes(): Promise<readonly string[]> {
  const text = await readFile(join(folder, 'notes'), 'utf8').catch(() => '')
  return text.split('\n').filter((line) => line !== '')
}

describe('superviseChild', () => {
  it('is ready when the program says so, and lets it end in its own way', async () => {
    const child = await run(SOUND)
    await child.ready
    await child.stop()
    const [pid, ...rest] = await notes()
    expect(rest).toEqual(['stopped'])
    expect(await startedAt(Number(pid))).toBeUndefined()
    expect(reported).toEqual([])
  })

  it('stops a program that is not ready yet', async () => {
    const child = await run(SOUND.replace(/process.send.*\n/, '\n'))
    await waitUntil(async () => (await notes()).length > 0, WAIT_MILLISECONDS)
    await child.stop()
    const [pid, ...rest] = await notes()
    expect(rest).toEqual(['stopped'])
    expect(await startedAt(Number(pid))).toBeUndefined()
    expect(reported).toEqual([])
  })

  it('restarts a killed program and logs it', async () => {
    const child = await run(SOUND)
    await child.ready
    sendSignal(Number((await notes())[0]), 'SIGKILL')
    await waitUntil(async () => (await notes()).length === 2, WAIT_MILLISECONDS)
    const [first, second] = await notes()
    expect(second).toMatch(/^\d+$/)
    expect(second).not.toBe(first)
    expect(reported).toEqual([expect.stringContaining('The pump ended (SIGKILL); starting it again in 0.25 s')])
  })

  it('waits longer before each further restart', async () => {
    const child = await run(`${SOUND}; setTimeout(() => process.exit(3), 20)`)
    await child.ready
    await waitUntil(async () => reported.length >= 3, WAIT_MILLISECONDS)
    expect(reported.map((line) => /code 3.* in ([\d.]+) s/.exec(line)?.[1]).slice(0, 3)).toEqual(['0.25', '0.5', '1'])
  })

  it('fails with the last output of a program that ends before it is ready', async () => {
    const child = await run(`console.error('no water'); process.exit(1)`)
    await expect(child.ready).rejects.toThrow(/The pump ended before it was ready \(code 1\)[\s\S]*no water/)
  })

  it('says why a program could not be started', async () => {
    const child = await run(SOUND, { environment: { TOO_LONG: 'x'.repeat(2_000_000) } })
    await expect(child.ready).rejects.toThrow('The pump ended before it was ready (spawn E2BIG)')
  })

  it('kills a program that does not get ready in time, and says so', async () => {
    const child = await run('setInterval(() => {}, 1000)', { readyMilliseconds: 200 })
    await expect(child.ready).rejects.toThrow('The pump ended before it was ready (killed after 0.2 s)')
  })

  it('ends a program at once without waiting', async () => {
    const child = await run(`process.on('SIGTERM', () => {}); ${SOUND.replace(/process.on\('SIGTERM'.*\n/, '\n')}`)
    await child.ready
    const stopped = child.stop()
    child.kill()
    await stopped
    expect(await startedAt(Number((await notes())[0]))).toBeUndefined()
  })
})
