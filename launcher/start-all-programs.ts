/** Starts all programs on one machine in order, supervises them, and stops them in reverse order. */
import { join, relative } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { aborted } from 'node:util'
import { scopesByEnvironment } from '../contract/environments.ts'
import { demoCredentials } from '../contract/examples/demo-fixture.ts'
import { movableClock } from '../gateway/platform/clock.ts'
import { migrate } from '../gateway/platform/database/migrate.ts'
import { ensureSandboxCertificates } from './certificates/sandbox-certificates.ts'
import { type SupervisedProcess, superviseChild } from './child-process.ts'
import { dataFolderPaths, lockDataFolder, prepareDataFolder } from './data-folder.ts'
import { startEmbeddedPostgres } from './embedded-postgres/embedded-postgres.ts'
import { chooseFreePort, requireFreePorts } from './free-ports.ts'
import { type Program, programsOf } from './programs.ts'
import { addressOf, portsOf, type StartSettings } from './start-settings.ts'

/** What to stop at the end, in the order of its start. */
type StopActions = (() => Promise<void>)[]

/** Receives progress messages and triggers the stop. */
export type StartObserver = {
  readonly say: (line: string) => void
  /** Aborted when everything should stop. */
  readonly stopping: AbortSignal
  /** Aborted when the stop should no longer be graceful. */
  readonly killing: AbortSignal
  /** Called when everything is ready. */
  readonly ready: () => void
}

const MIGRATIONS = new URL('../gateway/migrations/', import.meta.url)

/** Runs everything until the stop signal; resolves when all of it has ended. */
export async function startAllPrograms(settings: StartSettings, watcher: StartObserver): Promise<void> {
  const endings: StopActions = []
  try {
    await startAll(settings, watcher, endings)
    if (!watcher.stopping.aborted) {
      watcher.ready()
      await aborted(watcher.stopping, watcher.stopping)
    }
  } finally {
    for (const end of endings.toReversed()) {
      await end()
    }
  }
}

/** Returns when everything is ready, or the stop signal came before. */
async function startAll(settings: StartSettings, watcher: StartObserver, endings: StopActions): Promise<void> {
  const folder = dataFolderPaths(settings.dataDir)
  const gatewayUrl = addressOf(settings.ports.gateway)
  endings.push(await lockDataFolder(folder, { gatewayUrl, hasDemoPartner: settings.databaseUrl === null }))
  await requireFreePorts(portsOf(settings))
  await prepareDataFolder(folder)
  const certificates = await ensureSandboxCertificates(folder.certificates, movableClock().real())
  const connectionString = settings.databaseUrl ?? (await supervisePostgres(folder.postgres, watcher, endings))
  await migrate(connectionString, MIGRATIONS, { reportWait: watcher.say })
  if (watcher.stopping.aborted) {
    return
  }
  const { masterKeyFile } = folder
  const workerPort = settings.workerPort.number || (await chooseFreePort())
  const groups = programsOf({ settings, workerPort, connectionString, masterKeyFile, certificates })
  const children = groups.flatMap((group) => startProgramGroup(group, folder.logs, watcher, endings))
  await Promise.race([Promise.all(children.map(({ ready }) => ready)), aborted(watcher.stopping, watcher.stopping)])
}

/** The programs of a group stop together; groups stop one after the other, the last one first. */
function startProgramGroup(
  group: readonly Program[],
  logs: string,
  { say, killing }: StartObserver,
  endings: StopActions,
): readonly SupervisedProcess[] {
  const children = group.map((program) =>
    superviseChild({ program, logFile: join(logs, `${program.name.replaceAll(' ', '-')}.log`), say }),
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

/** The printed lines. */
export function startSummary(settings: StartSettings, tookMilliseconds: number): string {
  const gateway = addressOf(settings.ports.gateway)
  const path = relative('', settings.dataDir)
  const folder = path.startsWith('..') ? settings.dataDir : path || '.'
  return `
Havn is ready after ${(tookMilliseconds / 1000).toFixed(1)} s. This is a sandbox: no real bank, no real money.

  Open           ${gateway}/console   (the console; one click signs in)

  Gateway        ${gateway}   (API reference: ${gateway}/docs)
  Sandbox bank   ${addressOf(settings.ports.sandboxBank)}   (pages with accounts, payments and users)
  Sandbox eID    ${addressOf(settings.ports.sandboxIdentity)}   (identifies signatories of an onboarding)
  Sandbox FX     ${addressOf(settings.ports.sandboxFxControl)}   (exchange: its books; its control API is at /control)
${settings.databaseUrl === null ? demoLines(gateway) : ownDatabaseLines()}
Data and logs are in ${folder}/. Ctrl-C stops everything; npm run reset deletes the data.`
}

/** The gateway creates the demo partner when it runs on the embedded database. */
function demoLines(gateway: string): string {
  return `  Demo partner   ${demoCredentials.clientId}, secret ${demoCredentials.clientSecret}

Get an access token:

  curl -s ${gateway}/v2/connect/token \\
    -d grant_type=client_credentials -d client_id=${demoCredentials.clientId} -d client_secret=${demoCredentials.clientSecret} \\
    -d scope=${scopesByEnvironment.sandbox}

README.md continues from here to a signed and settled payment. ${gateway}/docs documents every operation.
`
}

function ownDatabaseLines(): string {
  return `
The database is that of DATABASE_URL, which has no demo partner. To create a partner:

  npx havn partner create --help
`
}

const RESTART_DELAY_MILLISECONDS = 250

/** Starts the server of a folder and restarts it until it is stopped. Returns its address. */
async function supervisePostgres(dataDir: string, { say }: StartObserver, endings: StopActions): Promise<string> {
  const stopping = new AbortController()
  const begin = () => startEmbeddedPostgres({ dataDir, log: { info: say } })
  let current = await begin()
  const { connectionString } = current
  const watch = async (): Promise<void> => {
    await current.ended
    while (!stopping.signal.aborted) {
      say('PostgreSQL ended; restarting it')
      await pause(RESTART_DELAY_MILLISECONDS)
      try {
        current = await begin()
        // A stop that came meanwhile has stopped the server before this one, and stops this one when this has ended.
        if (!stopping.signal.aborted) {
          await current.ended
        }
      } catch (error) {
        say(String(error))
      }
    }
  }
  const watched = watch()
  endings.push(async () => {
    stopping.abort()
    await current.stop()
    await watched
    // A restart may have been in progress.
    await current.stop()
  })
  return connectionString
}
