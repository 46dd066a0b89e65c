/** Starts everything on one machine in order, keeps it running, and stops it in the opposite order. */
import { join } from 'node:path'
import { movableClock } from '../gateway/platform/clock.ts'
import { migrate } from '../gateway/platform/database/migrate.ts'
import { ensureSandboxCertificates } from './certificates/sandbox-certificates.ts'
import { type Child, keepRunning } from './child-process.ts'
import { dataFolderAt, holdDataFolder, prepareDataFolder } from './data-folder.ts'
import { chooseFreePort, requireFreePorts } from './free-ports.ts'
import { keepPostgres } from './postgres-supervisor.ts'
import { type Program, programsOf } from './programs.ts'
import type { StartSettings } from './start-settings.ts'

/** Everything, running. */
export type Running = { readonly connectionString: string }

/** What is to be undone at the end, in the order in which it was done. */
type Endings = (() => Promise<void>)[]

/** Who is told, and what ends it. */
export type Watcher = {
  readonly say: (line: string) => void
  /** Aborted when everything should stop. */
  readonly stopping: AbortSignal
  /** Aborted when nobody wants to wait any longer. */
  readonly killing: AbortSignal
  /** Called when everything is ready. */
  readonly ready: (running: Running) => void
}

const MIGRATIONS = new URL('../gateway/migrations/', import.meta.url)

/** Runs everything until the watcher says stop; settles when nothing of it is left. */
export async function runEverything(settings: StartSettings, watcher: Watcher): Promise<void> {
  const endings: Endings = []
  try {
    const running = await begin(settings, watcher, endings)
    if (running !== undefined) {
      watcher.ready(running)
      await aborted(watcher.stopping)
    }
  } finally {
    for (const end of endings.toReversed()) {
      await end()
    }
  }
}

async function begin(settings: StartSettings, watcher: Watcher, endings: Endings): Promise<Running | undefined> {
  const folder = dataFolderAt(settings.dataDir)
  endings.push(await holdDataFolder(folder))
  await requireFreePorts([...Object.values(settings.ports), settings.workerPort])
  await prepareDataFolder(folder)
  const certificates = await ensureSandboxCertificates(folder.certificates, movableClock().real())
  const connectionString = settings.databaseUrl ?? (await beginPostgres(folder.postgres, watcher, endings))
  await migrate(connectionString, MIGRATIONS)
  const { masterKeyFile } = folder
  const workerPort = settings.workerPort.number || (await chooseFreePort())
  const groups = programsOf({ settings, workerPort, connectionString, masterKeyFile, certificates })
  const children = groups.flatMap((group) => beginGroup(group, folder.logs, watcher, endings))
  await Promise.race([Promise.all(children.map(({ ready }) => ready)), aborted(watcher.stopping)])
  return watcher.stopping.aborted ? undefined : { connectionString }
}

async function beginPostgres(dataDir: string, { say }: Watcher, endings: Endings): Promise<string> {
  const postgres = await keepPostgres(dataDir, say)
  endings.push(postgres.stop)
  return postgres.connectionString
}

/** The programs of a group stop together; groups stop one after the other, the last one first. */
function beginGroup(
  group: readonly Program[],
  logs: string,
  { say, killing }: Watcher,
  endings: Endings,
): readonly Child[] {
  const children = group.map((program) =>
    keepRunning({ program, logFile: join(logs, `${program.name.replaceAll(' ', '-')}.log`), say }),
  )
  killing.addEventListener('abort', () => {
    for (const child of children) {
      child.kill()
    }
  })
  endings.push(async () => {
    await Promise.all(children.map((child) => child.stop()))
  })
  return children
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve()
    } else {
      signal.addEventListener('abort', () => resolve(), { once: true })
    }
  })
}
