/** Walks through the first installation of the operators' guide with a released server, up to a partner's first token. */
import { execFile } from 'node:child_process'
import { chown, mkdir, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { scopesByEnvironment } from '../../contract/environments.ts'
import {
  type BackgroundProgram,
  isServed,
  startProgram,
  untilReady,
} from '../../gateway/testing/gateway/background-program.ts'
import { chooseFreePort } from '../../launcher/free-ports.ts'

const run = promisify(execFile)
/** Programs of another architecture are emulated, which takes minutes on a busy machine. */
const READY_MILLISECONDS_MAX = 600_000

/** Settings by the name of their environment variable. */
type Settings = Readonly<Record<string, string>>

export type InstalledServer = {
  readonly title: string
  /** The user that its programs run as, who must own the data folder; undefined for our own. */
  readonly user: number | undefined
  /** The data folder as its programs see it. */
  data(dataFolder: string): string
  /** What starts `havn` with nothing but these settings; arguments follow. */
  command(settings: Settings, dataFolder: string): readonly string[]
}

/** Prints each step; throws an error with what a program printed when one fails. */
export async function runAsOperator(
  server: InstalledServer,
  { folder, databaseUrl }: { readonly folder: string; readonly databaseUrl: string },
): Promise<void> {
  await mkdir(folder, { recursive: true })
  if (server.user !== undefined) {
    await chown(folder, server.user, server.user)
  }
  const settings = await settingsFor(server.data(folder), databaseUrl)
  const havn = async (...options: readonly string[]) => {
    const [program = '', ...rest] = [...server.command(settings, folder), ...options]
    const { stdout } = await run(program, rest)
    console.log(`  havn ${options.slice(0, 2).join(' ')}: ${stdout.trim().split('\n').at(-1)}`)
    return stdout
  }
  console.log(`\n${server.title}`)
  await havn('--version')
  await havn('keys', 'create')
  await havn('migrate')
  const partner = await registerPartner(havn)
  const roles = ['gateway', 'worker'].map((role) => startProgram([...server.command(settings, folder), role]))
  try {
    await Promise.all(roles.map((role, index) => becomesReady(role, portsOf(settings)[index] ?? '')))
    await havn('health')
    await requestToken(portsOf(settings)[0] ?? '', partner)
  } catch (error) {
    // A role that is stopped before it is ready ends otherwise than it should, which is not what went wrong.
    await Promise.allSettled(roles.map(stopRole))
    throw error
  }
  await Promise.all(roles.map(stopRole))
}

async function settingsFor(data: string, databaseUrl: string): Promise<Settings> {
  const [port = 0, operatorPort = 0, workerPort = 0] = [
    await chooseFreePort(),
    await chooseFreePort(),
    await chooseFreePort(),
  ]
  return {
    DATABASE_URL: databaseUrl,
    HAVN_MASTER_KEY_FILE: `${data}/master.key`,
    HAVN_BASE_URL: 'https://api.havn.example',
    // Sent to banks only, and there are none.
    HAVN_TPP_IP_ADDRESS: '185.20.30.40',
    HAVN_PORT: String(port),
    HAVN_OPERATOR_PORT: String(operatorPort),
    HAVN_WORKER_PORT: String(workerPort),
  }
}

function portsOf(settings: Settings): readonly string[] {
  return [settings['HAVN_PORT'] ?? '', settings['HAVN_WORKER_PORT'] ?? '']
}

type Credentials = { readonly id: string; readonly secret: string }

async function registerPartner(havn: (...options: readonly string[]) => Promise<string>): Promise<Credentials> {
  const bank = ['--name', 'Fjordbanken', '--country', 'NO', '--profile', 'norwegian-redirect']
  const place = ['--address', 'https://xs2a.bank.example', '--link-host', 'login.bank.example', 'xs2a.bank.example']
  await havn('bank', 'put', 'FJORNO22', ...bank, ...place)
  const name = `Nordkontor ${crypto.randomUUID()}`
  const printed = await havn('partner', 'create', name, '--callback-origin', 'https://erp.example')
  await havn('company', 'add', name, '--country', 'NO', '--number', '987654325', '--name', 'Nordlys Handel AS')
  const printedAfter = (key: string) => new RegExp(`${key}\\s+(\\S+)`).exec(printed)?.[1] ?? ''
  return { id: printedAfter('client_id'), secret: printedAfter('client_secret') }
}

async function becomesReady(role: BackgroundProgram, port: string): Promise<void> {
  await untilReady(role, () => isServed(`http://127.0.0.1:${port}/readyz`), READY_MILLISECONDS_MAX)
  console.log(`  ready on port ${port}`)
}

async function stopRole(role: BackgroundProgram): Promise<void> {
  if (!role.isRunning()) {
    return
  }
  const code = await role.stop('SIGTERM', await innermostOf(role.pid))
  if (code !== 0) {
    throw new Error(`A role ended with ${code} after SIGTERM:
${role.printed()}`)
  }
}

/** The program that others start: one that makes namespaces does not pass signals on. */
async function innermostOf(pid: number): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  const [child] = children.trim().split(' ').filter(Boolean)
  return child === undefined ? pid : await innermostOf(Number(child))
}

/** Through a proxy that terminates TLS, as partners reach it. */
async function requestToken(port: string, { id, secret }: Credentials): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/v2/connect/token`, {
    method: 'POST',
    headers: { 'x-forwarded-proto': 'https' },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      scope: scopesByEnvironment.production,
      client_id: id,
      client_secret: secret,
    }),
  })
  if (!response.ok) {
    throw new Error(`A token was refused with ${response.status}: ${await response.text()}`)
  }
  console.log('  a partner has an access token')
}
