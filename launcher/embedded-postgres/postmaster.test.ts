/** Tests that a cluster counts as ended when its processes have ended, with real processes that carry its name. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { listProcesses, startedAt, waitUntil } from '../processes.ts'
import { stopCluster } from './postmaster.ts'

const WAIT_MILLISECONDS = 10_000
const NAME = 'havn-postmaster-test'
/**
 * On its signal to end, it has no command line any more for a moment while it still has its ports, as PostgreSQL has
 * under load.
 */
const LINGERS = `
  process.title = 'postgres: ${NAME}: checkpointer'
  process.on('SIGQUIT', () => {
    process.title = ''
    setTimeout(() => process.exit(), 300)
  })
  setInterval(() => {}, 1000)
`
let dataDirectory: string

beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'havn-postmaster-'))
})

afterEach(() => rm(dataDirectory, { recursive: true }))

/** Before it sets its title, the process is listed with its whole command line. */
async function isSeen(pid: number): Promise<boolean> {
  return (await listProcesses()).some(
    (found) => found.pid === pid && found.commandLine.startsWith(`postgres: ${NAME}: `),
  )
}

it.runIf(process.platform === 'linux')(
  'waits for a process that is exiting and has lost its command line',
  async () => {
    const child = spawn(process.execPath, ['-e', LINGERS], { stdio: 'ignore' })
    const pid = child.pid ?? expect.fail()
    const ended = once(child, 'exit')
    expect(await waitUntil(() => isSeen(pid), WAIT_MILLISECONDS)).toBe(true)
    await stopCluster({ name: NAME, dataDirectory })
    expect(await startedAt(pid)).toBeUndefined()
    expect(await ended).toEqual([0, null])
  },
)
