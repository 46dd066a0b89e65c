/** Runs two gateways and a worker through PgBouncer, with the bank, identity provider and FX provider of the sandbox. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { movableClock } from '../../gateway/platform/clock.ts'
import {
  type BackgroundProgram,
  isServed,
  startProgram,
  untilReady,
} from '../../gateway/testing/gateway/background-program.ts'
import { freeStartPorts } from '../../gateway/testing/gateway/start-havn.ts'
import {
  type CertificateFiles,
  ensureSandboxCertificates,
  issueServerCertificate,
} from '../../launcher/certificates/sandbox-certificates.ts'
import { dataFolderPaths, prepareDataFolder } from '../../launcher/data-folder.ts'
import { chooseFreePort, LOOPBACK } from '../../launcher/free-ports.ts'
import { type Program, programsOf } from '../../launcher/programs.ts'
import { readStartSettings } from '../../launcher/start-settings.ts'
import { runProgram } from '../../setup/clients/run-program.ts'
import { ROOT } from '../../setup/source-files.ts'
import { startDebianPostgres } from './debian-postgres.ts'
import { startPgBouncer } from './run-pooled-tests.ts'

/** The second gateway has the same ports at an address of its own, as on another host. */
const HOSTS = [LOOPBACK, '127.0.0.2'] as const
const DRAIN_SECONDS = 5
const PRINTED_CHARACTERS = 4_000

export type Installation = {
  readonly folder: string
  readonly publicPort: number
  readonly certificates: CertificateFiles
  /** Certificate and key of the public host name, for a proxy. */
  readonly server: { readonly certificate: string; readonly key: string }
  readonly gateways: readonly [string, string]
  /** Stops a gateway by SIGTERM as systemd does; resolves with its exit code. */
  stopGateway(index: number): Promise<number | null>
  startGateway(index: number): Promise<void>
  /** The last lines that the gateways have logged. */
  printed(): string
  /** Stop what the gateways need while they run, and resolve when it is back. */
  readonly interruptions: Readonly<Record<string, () => Promise<void>>>
  close(): Promise<void>
}

/** The public port is that of a proxy, which the caller starts. */
export async function startInstallation(folder: string): Promise<Installation> {
  const endings: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const end of endings.toReversed()) {
      await end()
    }
  }
  try {
    const postgres = await startDebianPostgres(join(folder, 'postgres'))
    endings.push(postgres.stop)
    const pooler = await startPgBouncer(join(folder, 'pgbouncer'), postgres.url)
    endings.push(pooler.stop)
    const urls = { direct: postgres.url.href, pooled: pooler.through(postgres.url.href) }
    const started = await startPrograms(folder, urls, { endings, close })
    const interruptions = {
      'restart of PgBouncer': pooler.restart,
      'restart of PostgreSQL': postgres.restart,
      'failover of PostgreSQL': postgres.failOver,
    }
    return { ...started, interruptions }
  } catch (error) {
    await close()
    throw error
  }
}

type Urls = { readonly direct: string; readonly pooled: string }
type Ending = { readonly endings: (() => Promise<unknown>)[]; close(): Promise<void> }

async function startPrograms(
  folder: string,
  { direct, pooled }: Urls,
  { endings, close }: Ending,
): Promise<Omit<Installation, 'interruptions'>> {
  const publicPort = await chooseFreePort()
  const data = dataFolderPaths(join(folder, 'data'))
  await mkdir(data.path, { recursive: true })
  await prepareDataFolder(data)
  const now = movableClock().real()
  const certificates = await ensureSandboxCertificates(data.certificates, now)
  const server = await issueServerCertificate(data.certificates, { hosts: ['localhost'], name: 'proxy' }, now)
  await runProgram(process.execPath, [join(ROOT, 'cli', 'havn.ts'), 'migrate'], {
    folder,
    variables: { DATABASE_URL: pooled },
  })
  const settings = readStartSettings((await freeStartPorts()).settings)
  const workerPort = await chooseFreePort()
  const [sandbox = [], roles = []] = programsOf({
    settings,
    workerPort,
    connectionString: direct,
    masterKeyFile: data.masterKeyFile,
    certificates,
  })
  const [gateway, worker] = roles
  if (gateway === undefined || worker === undefined) {
    throw new Error('The launcher has no gateway or no worker')
  }
  const url = `https://localhost:${publicPort}`
  const changed = {
    DATABASE_URL: pooled,
    ...{ HAVN_BASE_URL: url, HAVN_AUTH_URL: url, HAVN_ONBOARDING_URL: url },
    HAVN_TRUST_PROXY: '1',
    HAVN_DRAIN_SECONDS: String(DRAIN_SECONDS),
    ...{ HAVN_REQUESTS_PER_SECOND: '1000', HAVN_LOG_LEVEL: 'error' },
  }
  const port = settings.ports.gateway.number
  const start = async (program: Program, more: Readonly<Record<string, string>>, readyUrl: string | undefined) => {
    const started = startNode(program, { ...more, NODE_EXTRA_CA_CERTS: certificates.authority })
    endings.push(started.stop)
    if (readyUrl !== undefined) {
      await untilReady(started, () => isServed(readyUrl))
    }
    return started
  }
  await Promise.all(sandbox.map((program) => start(program, {}, undefined)))
  const running: BackgroundProgram[] = []
  const startGateway = async (index: number) => {
    const host = HOSTS[index] ?? LOOPBACK
    running[index] = await start(gateway, { ...changed, HAVN_HOST: host }, `http://${host}:${port}/readyz`)
  }
  await startGateway(0)
  await startGateway(1)
  await start(worker, changed, `http://${LOOPBACK}:${workerPort}/readyz`)
  const stopGateway = async (index: number) => (await running[index]?.stop()) ?? null
  const gateways = [`${HOSTS[0]}:${port}`, `${HOSTS[1]}:${port}`] as const
  const printed = () => running.map((program) => program.printed().slice(-PRINTED_CHARACTERS)).join('\n')
  return { folder, publicPort, certificates, server, gateways, stopGateway, startGateway, printed, close }
}

function startNode(program: Program, more: Readonly<Record<string, string>>): BackgroundProgram {
  const { file, runtime = [], options, environment } = program
  const variables = { PATH: process.env['PATH'], ...environment, ...more }
  return startProgram([process.execPath, ...runtime, file, ...options], { environment: variables })
}
