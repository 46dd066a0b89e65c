/** Runs Havn as `npm start` does: separate processes and a PostgreSQL with fsync, in an empty folder. */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeEmbeddedPostgres } from '../../../launcher/embedded-postgres/embedded-postgres.ts'
import type { BackgroundProgram } from './background-program.ts'
import { programEnvironment } from './havn-command.ts'
import { freeStartPorts, startHavn } from './start-havn.ts'

export type HavnProcesses = {
  readonly url: string
  start(): Promise<void>
  close(): Promise<void>
}

/** Creates the folder and finds ports; starts nothing. */
export async function havnProcesses(settings: Readonly<Record<string, string>>): Promise<HavnProcesses> {
  const folder = await mkdtemp(join(tmpdir(), 'havn-processes-'))
  await chmod(folder, 0o755)
  const { settings: ports, url } = await freeStartPorts()
  const environment = { ...programEnvironment(), HAVN_DATA_DIR: folder, ...ports, ...settings }
  let started: BackgroundProgram | undefined
  return {
    url,
    start: async () => {
      started = await startHavn(environment)
    },
    close: async () => {
      await started?.stop()
      await removeEmbeddedPostgres(join(folder, 'postgres'))
      await rm(folder, { recursive: true })
    },
  }
}
