/** Tests that the PostgreSQL of a test run ends with the run, however the run ends. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { listProcesses, waitUntil } from '../../../launcher/processes.ts'
import { TEMPORARY_FOLDERS } from './temporary-folder.ts'

const WAIT_MILLISECONDS = 20_000
const keepers: ChildProcess[] = []

afterEach(async () => {
  for (const keeper of keepers.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)) {
    keeper.disconnect()
    await once(keeper, 'exit')
  }
})

async function startKeeper(): Promise<{ keeper: ChildProcess; port: string }> {
  const keeper = fork(new URL('./postgres-process.ts', import.meta.url), { execArgv: [], detached: true })
  keepers.push(keeper)
  const [{ server }] = await once(keeper, 'message')
  return { keeper, port: new URL(String(server)).port }
}

async function isServed(port: string): Promise<boolean> {
  return (await listProcesses()).some(({ commandLine }) => `${commandLine} `.includes(` port=${port} `))
}

async function foldersOf(keeper: ChildProcess): Promise<readonly string[]> {
  const names = await Promise.all(TEMPORARY_FOLDERS.map((folder) => readdir(folder)))
  return names.flat().filter((name) => name.startsWith(`havn-tests-${keeper.pid}-`))
}

describe('the supervisor of the test database', () => {
  it('stops PostgreSQL and deletes its folder when the channel to the runner closes, as when that is killed', async () => {
    const { keeper, port } = await startKeeper()
    expect(await isServed(port)).toBe(true)
    keeper.disconnect()
    await once(keeper, 'exit')
    expect(await isServed(port)).toBe(false)
    expect(await foldersOf(keeper)).toEqual([])
  })

  it('cleans up after a supervisor that was itself killed', async () => {
    const { keeper: killed, port } = await startKeeper()
    killed.kill('SIGKILL')
    await once(killed, 'exit')
    expect(await isServed(port)).toBe(true)
    await startKeeper()
    expect(await waitUntil(async () => !(await isServed(port)), WAIT_MILLISECONDS)).toBe(true)
    expect(await foldersOf(killed)).toEqual([])
  })
})
