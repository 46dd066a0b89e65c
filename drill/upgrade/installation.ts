/** Opens the installation of the trial: two gateways behind a balancer and two workers, each of either release. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { startProxy } from '../../deploy/trial/start-proxies.ts'
import { movableClock } from '../../gateway/platform/clock.ts'
import { generateMasterKeyLine } from '../../gateway/platform/crypto/envelope-encryption.ts'
import type { BackgroundProgram } from '../../gateway/testing/gateway/background-program.ts'
import { freeBankPorts, freePorts } from '../../gateway/testing/gateway/free-ports.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../../gateway/testing/webhooks/webhook-receiver.ts'
import { type CertificateFiles, ensureSandboxCertificates } from '../../launcher/certificates/sandbox-certificates.ts'
import { runProgram } from '../../setup/clients/run-program.ts'
import { ROOT } from '../../setup/source-files.ts'
import {
  createCluster,
  type PostgresServer,
  postgresPrograms,
  type ServerPlace,
  startServer,
} from '../../setup/trials/postgres-server.ts'
import {
  environmentOf,
  type InstallationSettings,
  type RunningProgram,
  startBanks,
  startLogged,
  urlOf,
} from '../havn-installation.ts'

/** A release of Havn: the folder of its checkout. */
export type Release = { readonly name: 'before' | 'after'; readonly root: string }

export const PROGRAMS = ['gateway-1', 'gateway-2', 'worker-1', 'worker-2'] as const
export type ProgramName = (typeof PROGRAMS)[number]

/** Everything of one trial. */
export type Installation = {
  readonly settings: InstallationSettings
  readonly server: PostgresServer
  readonly receiver: WebhookReceiver
  readonly certificates: CertificateFiles
  readonly balancer: { readonly port: number; readonly statisticsPort: number }
  readonly ports: Readonly<Record<ProgramName, number>>
  /** What runs under each name. */
  readonly started: Map<ProgramName, StartedRelease>
  /** Everything that was started under those names. */
  readonly runs: StartedRelease[]
  /** What runs, for a trial that ends early. */
  readonly running: RunningProgram[]
}

/** A program of a release, with its log. */
export type StartedRelease = {
  readonly name: ProgramName
  readonly release: Release
  readonly program: BackgroundProgram
  readonly log: string
}

/** As in `deploy/`: longer than two checks of the balancer. */
const DRAIN_SECONDS = 5

/** Starts what does not change in an upgrade: PostgreSQL and the receiver. The banks need a migrated database. */
export async function openInstallation(folder: string, running: RunningProgram[]): Promise<Installation> {
  const receiver = await startWebhookReceiver()
  running.push({ stop: () => receiver.close() })
  const [first = 0, second = 0, third = 0, fourth = 0, pages = 0, port = 0, statisticsPort = 0, ...databases] =
    await freePorts(9)
  const [server, banks] = await startServers(folder, databases, running)
  const certificates = await ensureSandboxCertificates(join(folder, 'certificates'), movableClock().real())
  const authority = await readFile(certificates.authority, 'utf8')
  setDefaultCACertificates([...getCACertificates('default'), authority])
  const url = `https://localhost:${port}`
  const settings: InstallationSettings = {
    folder,
    databaseUrl: server.url,
    bankDatabaseUrl: banks.url,
    masterKeyFile: join(folder, 'master.key'),
    webhookAuthorityFile: join(folder, 'receiver-authority.pem'),
    ports: { gateway: first, worker: third, pages, xs2a: await freeBankPorts() },
    changed: {
      ...{ HAVN_BASE_URL: url, HAVN_AUTH_URL: url, HAVN_ONBOARDING_URL: url },
      HAVN_TRUST_PROXY: '1',
      HAVN_DRAIN_SECONDS: String(DRAIN_SECONDS),
      NODE_EXTRA_CA_CERTS: certificates.authority,
      NODE_COMPILE_CACHE: join(ROOT, 'node_modules', '.cache', 'compiled'),
    },
  }
  await writeFile(settings.masterKeyFile, generateMasterKeyLine('upgrade'), { mode: 0o600 })
  await writeFile(settings.webhookAuthorityFile, receiver.authority)
  return {
    ...{ settings, server, receiver, certificates, running },
    balancer: { port, statisticsPort },
    ports: { 'gateway-1': first, 'gateway-2': second, 'worker-1': third, 'worker-2': fourth },
    started: new Map(),
    runs: [],
  }
}

async function startServers(
  folder: string,
  [port = 0, bankPort = 0]: readonly number[],
  running: RunningProgram[],
): Promise<readonly [PostgresServer, PostgresServer]> {
  const programs = await postgresPrograms()
  const start = async (place: ServerPlace) => {
    await createCluster(programs, place, [])
    const server = await startServer(programs, place)
    running.push(server)
    return server
  }
  return await Promise.all([
    start({ folder: join(folder, 'database'), port }),
    start({ folder: join(folder, 'bank-database'), port: bankPort }),
  ])
}

/** Starts banks, all programs of a release, and the balancer, which retries nothing. */
export async function startAllPrograms(installation: Installation, release: Release): Promise<void> {
  const { settings, certificates, balancer, ports, running } = installation
  running.push(await startBanks(settings, certificates.authority))
  for (const name of PROGRAMS) {
    await startRelease(installation, name, release)
  }
  running.push(
    await startProxy('HAProxy', {
      folder: join(settings.folder, 'balancer'),
      ...certificates.bank,
      ...balancer,
      gateways: [`127.0.0.1:${ports['gateway-1']}`, `127.0.0.1:${ports['gateway-2']}`],
    }),
  )
}

/** Starts a program of a release; its log has the name of both. */
export async function startRelease(installation: Installation, name: ProgramName, release: Release): Promise<void> {
  const { settings, ports, started, runs, running } = installation
  const role = name.startsWith('gateway') ? 'gateway' : 'worker'
  const port = ports[name]
  const log = join(settings.folder, `${name}-${runs.length + 1}-${release.name}.log`)
  const program = await startLogged({
    words: [join(release.root, 'cli', 'havn.ts'), role],
    environment: environmentOf({ ...settings, ports: { ...settings.ports, [role]: port } }),
    log,
    ready: `${urlOf(port)}/readyz`,
  })
  const run = { name, release, program, log }
  running.push(program)
  runs.push(run)
  started.set(name, run)
}

/** Runs a `havn` command of a release, and returns its output; throws with the output when it fails. */
export async function havnOf({ root }: Release, settings: InstallationSettings, ...words: string[]): Promise<string> {
  const command = [join(root, 'cli', 'havn.ts'), ...words]
  return await runProgram(process.execPath, command, { folder: root, variables: environmentOf(settings) })
}
