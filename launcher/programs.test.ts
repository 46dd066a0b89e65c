/** Tests that the programs of one start have each other's URLs. */
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { readConfig } from '../gateway/config/config.ts'
import { FX_NOTIFICATIONS_PATH } from '../gateway/fx/notification-routes.ts'
import { internalAddresses } from '../gateway/webhooks/deliveries/dispatch/internal-addresses.ts'
import { NOTIFICATION_KEY } from '../sandbox/fx/notifications.ts'
import { LOGIN } from '../sandbox/fx/protocol/log-in.ts'
import { programsOf } from './programs.ts'
import { portsOf, readStartSettings } from './start-settings.ts'

const file = 'a file'
const pair = { certificate: file, key: file }
const certificates = { authority: file, authorityKey: file, qwac: pair, qseal: pair, bank: pair }
const settings = readStartSettings({})
const WORKER_PORT = 47_001
const started = {
  settings,
  workerPort: WORKER_PORT,
  connectionString: 'postgres://havn@127.0.0.1/havn',
  masterKeyFile: file,
  certificates,
}
const programs = programsOf(started).flat()
const environmentOf = (name: string) => programs.find((program) => program.name === name)?.environment

it.each(['gateway', 'worker'])('passes to the %s the login, the key and the URL of the FX provider', (name) => {
  expect(environmentOf(name)).toMatchObject({
    HAVN_FX_PROVIDER: 'currencycloud',
    HAVN_FX_URL: 'http://127.0.0.1:8085',
    HAVN_FX_LOGIN_ID: LOGIN.loginId,
    HAVN_FX_API_KEY: LOGIN.apiKey,
    HAVN_FX_NOTIFICATION_KEY: NOTIFICATION_KEY,
    HAVN_SANDBOX_FX_URL: 'http://127.0.0.1:8095',
  })
})

it('passes to the FX provider the URL for notifications, and to the bank the provider’s URL', () => {
  expect(environmentOf('sandbox fx')).toMatchObject({
    HAVN_SANDBOX_FX_PORT: '8085',
    HAVN_SANDBOX_FX_NOTICE_URL: `http://127.0.0.1:8080${FX_NOTIFICATIONS_PATH}`,
  })
  expect(environmentOf('sandbox bank')).toMatchObject({ HAVN_SANDBOX_FX_URL: 'http://127.0.0.1:8095' })
})

it.each(['gateway', 'worker'])(
  'lets the %s deliver webhooks to no port of its own but that of the webhook inbox',
  async (name) => {
    const { isInternalAddress } = internalAddresses(readConfig(environmentOf(name) ?? {}))
    const { sandboxInbox } = settings.ports
    const others = portsOf(settings).filter((port) => port !== sandboxInbox && port !== settings.workerPort)
    const ports = [...others.map(({ number }) => number), WORKER_PORT, 5432]
    const closed = await Promise.all(
      ports.map(async (port) => ((await isInternalAddress('127.0.0.1', port)) ? [port] : [])),
    )
    expect(closed.flat()).toEqual(ports)
    for (const port of [sandboxInbox.number, 3000]) {
      expect(await isInternalAddress('127.0.0.1', port)).toBe(false)
    }
  },
)

it.each(['gateway', 'worker'])('gives the %s the same memory limit as the command line does', async (name) => {
  const launcher = await readFile(new URL('../cli/havn', import.meta.url), 'utf8')
  const [, memory = ''] = new RegExp(`^ {2}${name}\\) memory="([^"]*)"`, 'm').exec(launcher) ?? []
  const { runtime = [], environment } = programs.find((program) => program.name === name) ?? expect.fail()
  expect(memory.split(' ').toSorted()).toEqual(runtime.toSorted())
  expect(launcher).toContain(`export MALLOC_ARENA_MAX=${environment['MALLOC_ARENA_MAX']}\n`)
})

it('passes a setting that forbids webhooks to http to gateway and worker', () => {
  const forbidding = programsOf({ ...started, settings: readStartSettings({ HAVN_WEBHOOK_HTTP: '0' }) }).flat()
  const delivering = forbidding.filter(({ name }) => name === 'gateway' || name === 'worker')
  expect(delivering.map(({ environment }) => environment['HAVN_WEBHOOK_HTTP'])).toEqual(['0', '0'])
})
