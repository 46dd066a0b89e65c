/** A stand-in for `systemctl` where systemd does not run: starts what units say, with their settings and as their user. */
import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const UNITS = '/etc/systemd/system'
const RUNNING = '/run/havn-systemctl'
const READY_SECONDS_MAX = 40

const [command = '', ...words] = process.argv.slice(2)
const units = words.filter((word) => !word.startsWith('-'))
mkdirSync(RUNNING, { recursive: true })
for (const unit of command === 'daemon-reload' ? [] : units) {
  if (unit === 'caddy.service') {
    await startCaddy()
  } else {
    await startUnit(unit)
  }
}

/** The values of a directive of the unit, specifiers replaced. */
function directives(unit: string, text: string, name: string): readonly string[] {
  const instance = /@(.+)\.service$/.exec(unit)?.[1] ?? ''
  return [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) =>
    value.replaceAll('%i', instance).replaceAll('%d', credentialsOf(unit)),
  )
}

function credentialsOf(unit: string): string {
  return join(RUNNING, unit, 'credentials')
}

async function startUnit(unit: string): Promise<void> {
  const text = readFileSync(join(UNITS, unit.replace(/@.+\.service$/, '@.service')), 'utf8')
  const all = (name: string) => directives(unit, text, name)
  const [user = 'root'] = all('User')
  for (const line of all('LoadCredential')) {
    const [name = '', source = ''] = line.split(':')
    mkdirSync(credentialsOf(unit), { recursive: true })
    cpSync(source, join(credentialsOf(unit), name), { mode: 0 })
    await run(['chown', '-R', `${user}:`, credentialsOf(unit)])
  }
  for (const name of all('CacheDirectory')) {
    mkdirSync(join('/var/cache', name), { recursive: true })
    await run(['chown', `${user}:`, join('/var/cache', name)])
  }
  const fromFiles = all('EnvironmentFile').flatMap((file) => readFileSync(file, 'utf8').split('\n'))
  const settings = [...fromFiles, ...all('Environment')].filter((line) => /^[A-Z_]+=/.test(line))
  const [program = ''] = all('ExecStart')
  const asUser = [
    'setpriv',
    `--reuid=${user}`,
    `--regid=${user}`,
    '--init-groups',
    '--bounding-set=-all',
    '--no-new-privs',
  ]
  const started = ['env', '-i', 'PATH=/usr/bin:/bin', ...settings, ...asUser, ...program.split(' ')]
  if (all('Type').includes('oneshot')) {
    await run(started)
    return
  }
  const log = openSync(join(RUNNING, `${unit}.log`), 'a')
  const [first = '', ...rest] = started
  const child: ChildProcess = spawn(first, rest, { detached: true, stdio: ['ignore', log, log] })
  writeFileSync(join(RUNNING, `${unit}.pid`), String(child.pid))
  const ports = settings.filter((line) => /^HAVN_(OPERATOR_|WORKER_)PORT=/.test(line))
  await untilReady(unit, Number(ports[0]?.split('=')[1]))
  child.unref()
}

async function untilReady(unit: string, port: number): Promise<void> {
  for (let tries = 0; tries < READY_SECONDS_MAX * 10; tries += 1) {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
    if (response?.ok === true) {
      return
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${unit} is not ready:\n${readFileSync(join(RUNNING, `${unit}.log`), 'utf8').slice(-4_000)}`)
}

/** No public authority reaches this machine: Caddy uses one of its own. */
async function startCaddy(): Promise<void> {
  const file = '/etc/caddy/Caddyfile'
  const text = readFileSync(file, 'utf8').replace(/^\{$/m, '{\n\tlocal_certs\n\tskip_install_trust')
  writeFileSync(file, text)
  await run(['env', 'HOME=/var/lib/caddy', 'XDG_DATA_HOME=/var/lib', 'caddy', 'start', '--config', file])
  const root = '/var/lib/caddy/pki/authorities/local/root.crt'
  for (let tries = 0; tries < 100 && !existsSync(root); tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const system = readdirSync('/etc/ssl/certs').includes('ca-certificates.crt')
    ? '/etc/ssl/certs/ca-certificates.crt'
    : ''
  writeFileSync('/run/havn-ca.crt', `${system === '' ? '' : readFileSync(system, 'utf8')}${readFileSync(root, 'utf8')}`)
}

async function run([program = '', ...options]: readonly string[]): Promise<void> {
  const child = spawn(program, options, { stdio: 'inherit' })
  const code = await new Promise((resolve) => child.once('exit', resolve).once('error', resolve))
  if (code !== 0) {
    throw new Error(`${program} ${options.join(' ')} ended with ${String(code)}`)
  }
}
