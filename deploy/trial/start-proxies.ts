/** Runs HAProxy and Caddy with the configurations of `deploy/proxy/`, in which only names, ports and certificates differ. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type BackgroundProgram,
  isServed,
  startProgram,
  untilReady,
} from '../../gateway/testing/gateway/background-program.ts'
import { chooseFreePort } from '../../launcher/free-ports.ts'
import { ROOT } from '../../setup/source-files.ts'

const PROXY = join(ROOT, 'deploy', 'proxy')

/** What is in front of and behind a proxy. */
export type ProxySettings = {
  readonly folder: string
  readonly port: number
  /** Of plain http; any free one when absent. */
  readonly httpPort?: number
  /** PEM files of a certificate for localhost and its key. */
  readonly certificate: string
  readonly key: string
  /** Host and port of each gateway. */
  readonly gateways: readonly [string, string]
  /**
   * The port of statistics of a proxy that retries nothing, so that a trial sees what fails at first. Only HAProxy has
   * both.
   */
  readonly statisticsPort?: number
}

type PlacedSettings = ProxySettings & { readonly httpPort: number }

export type ProxyName = 'HAProxy' | 'Caddy'

/** Resolves when the proxy reaches a gateway. */
export async function startProxy(name: ProxyName, settings: ProxySettings): Promise<BackgroundProgram> {
  await mkdir(settings.folder, { recursive: true })
  const placed = { httpPort: await chooseFreePort(), ...settings }
  const command = name === 'HAProxy' ? await configureHaproxy(placed) : await configureCaddy(placed)
  const environment = { ...process.env, HOME: settings.folder, XDG_DATA_HOME: settings.folder }
  const started = startProgram(command, { environment })
  await untilReady(started, () => isServed(`https://localhost:${settings.port}/readyz`))
  return started
}

async function configureHaproxy({
  folder,
  port,
  httpPort,
  certificate,
  key,
  gateways,
  statisticsPort,
}: PlacedSettings) {
  const pem = join(folder, 'havn.pem')
  await writeFile(pem, `${await readFile(certificate, 'utf8')}${await readFile(key, 'utf8')}`, { mode: 0o600 })
  const file = join(folder, 'haproxy.cfg')
  const text = await replaced(join(PROXY, 'haproxy.cfg'), [
    [/^\tlog \/dev\/log local0$/m, `\tlog stdout format raw local0`],
    [/^\t(user|group) haproxy\n/gm, ''],
    [/^\tstats socket .*\n/m, ''],
    [/bind :80$/m, `bind 127.0.0.1:${httpPort}`],
    [/bind :443 ssl crt \S+/, `bind 127.0.0.1:${port} ssl crt ${pem}`],
    ['127.0.0.1:8081', gateways[0]],
    ['127.0.0.1:8082', gateways[1]],
    ...(statisticsPort === undefined ? [] : observed(statisticsPort)),
  ])
  await writeFile(file, text)
  return ['haproxy', '-db', '-f', file] as const
}

function observed(statisticsPort: number): readonly (readonly [RegExp, string])[] {
  const statistics = `frontend statistics\n\tbind 127.0.0.1:${statisticsPort}\n\tstats enable\n\tstats uri /statistics\n\n`
  return [
    [/^\tretries 3$/m, '\tretries 0'],
    [/^\tretry-on conn-failure\n\toption redispatch 1\n/m, ''],
    [/^backend gateways$/m, `${statistics}backend gateways`],
  ]
}

async function configureCaddy({ folder, port, httpPort, certificate, key, gateways }: PlacedSettings) {
  const file = join(folder, 'Caddyfile')
  const text = await replaced(join(PROXY, 'Caddyfile'), [
    [/^\{$/m, '{\n\tadmin off\n\tauto_https disable_redirects'],
    ['http://havn.example {', `http://localhost:${httpPort} {\n\tbind 127.0.0.1`],
    [/^havn\.example \{$/m, `https://localhost:${port} {\n\tbind 127.0.0.1\n\ttls ${certificate} ${key}`],
    ['127.0.0.1:8081', gateways[0]],
    ['127.0.0.1:8082', gateways[1]],
  ])
  await writeFile(file, text)
  return ['caddy', 'run', '--adapter', 'caddyfile', '--config', file] as const
}

/** Throws if something to replace is not there any more: the trial would try another configuration than it says. */
async function replaced(file: string, pairs: readonly (readonly [RegExp | string, string])[]): Promise<string> {
  let text = await readFile(file, 'utf8')
  for (const [from, to] of pairs) {
    const next = text.replace(from, to)
    if (next === text) {
      throw new Error(`${file} has no ${String(from)} to replace`)
    }
    text = next
  }
  return text
}
