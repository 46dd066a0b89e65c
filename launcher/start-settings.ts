/** Reads the settings of `npm start`: ports, the data folder, and an external database. */
import { resolve } from 'node:path'
import sandbox from '../data/sandbox-directory.json' with { type: 'json' }
import {
  combined,
  type Environment,
  openSource,
  optional,
  readSettings,
  type Setting,
  text,
  type ValuesOf,
  type Variable,
} from '../gateway/platform/setting.ts'
import { LOOPBACK, type Port } from './free-ports.ts'

/** A partner's endpoint under development runs on this machine. */
const LOOPBACK_NETWORKS = '127.0.0.0/8,::1/128'
const PORT_MAX = 65_535
const LAST_FIRST_BANK_PORT = PORT_MAX - sandbox.banks.length + 1

const PORTS = {
  gateway: port('the gateway', 8080, { name: 'HAVN_PORT', meaning: 'port of the gateway' }),
  sandboxBank: port("the sandbox bank's pages", 8081, {
    name: 'HAVN_SANDBOX_BANK_PORT',
    meaning: "port of the sandbox bank's pages and control API",
  }),
  sandboxXs2a: port(
    "the sandbox banks' XS2A",
    8101,
    {
      name: 'HAVN_SANDBOX_XS2A_PORT',
      meaning: 'port of the XS2A API of the first sandbox bank; each other bank has the next one, up to 8116',
    },
    [1, LAST_FIRST_BANK_PORT],
  ),
  sandboxIdentity: port("the sandbox's identity provider", 8084, {
    name: 'HAVN_SANDBOX_IDENTITY_PORT',
    meaning: 'port of the sandbox identity provider: pages and protocol',
  }),
  sandboxIdentityControl: port("the identity provider's control API", 8094, {
    name: 'HAVN_SANDBOX_IDENTITY_CONTROL_PORT',
    meaning: 'port of its control API',
  }),
  sandboxFx: port("the sandbox's provider of exchange", 8085, {
    name: 'HAVN_SANDBOX_FX_PORT',
    meaning: "port of the sandbox FX provider's API",
  }),
  sandboxFxControl: port("the FX provider's control API", 8095, {
    name: 'HAVN_SANDBOX_FX_CONTROL_PORT',
    meaning: 'port of its page and control API',
  }),
  sandboxInbox: port("the sandbox's webhook inbox", 8086, {
    name: 'HAVN_SANDBOX_INBOX_PORT',
    meaning: "port of the sandbox's webhook inbox, which the console shows",
  }),
}

const SETTINGS = {
  dataDir: text('HAVN_DATA_DIR', '.havn', 'folder of the database, the master key and the logs', (folder) =>
    resolve(folder),
  ),
  /** An external database; without one the embedded PostgreSQL is started. */
  databaseUrl: optional(
    'DATABASE_URL',
    'your own PostgreSQL, version 15 or newer; without it the embedded one is started. With your own, no demo partner is created',
  ),
  /** 0 chooses any free port. */
  workerPort: port(
    'the worker',
    0,
    {
      name: 'HAVN_WORKER_PORT',
      meaning: "port of the worker's `/healthz`, `/readyz` and `/metrics`; 0 chooses a free port",
    },
    [0, PORT_MAX],
  ),
  ports: combined(PORTS, (ports) => ports),
  /** Networks that deliveries may reach although they are not public. */
  webhookNetworks: text(
    'HAVN_WEBHOOK_ALLOWED_NETWORKS',
    LOOPBACK_NETWORKS,
    'networks that webhooks may be delivered to, in addition to the public internet',
  ),
  webhookHttp: text('HAVN_WEBHOOK_HTTP', '1', '`0` forbids webhooks to http URLs, which must be on this machine'),
}

/** Settings of the supervisor. */
export type StartSettings = ValuesOf<typeof SETTINGS>

/** Their variables, in the order of the documentation. */
export const START_VARIABLES: readonly Variable[] = Object.values<Setting<unknown>>(SETTINGS).flatMap(
  ({ variables }) => variables,
)

/** Reads the settings; throws one error that lists all errors. */
export function readStartSettings(environment: Environment): StartSettings {
  const { source, errors } = openSource(environment)
  const settings = readSettings(SETTINGS, source)
  const ports = portsOf(settings)
  for (const [index, { variable, number }] of ports.entries()) {
    const duplicate = ports.findIndex((other) => other.number === number)
    if (duplicate < index && number > 0) {
      errors.add(`${variable} and ${ports[duplicate]?.variable} are both ${number}`)
    }
  }
  if (errors.size > 0) {
    throw new Error(`Invalid settings:\n${[...errors].map((error) => `  - ${error}`).join('\n')}`)
  }
  return settings
}

function port(
  program: string,
  byDefault: number,
  { name, meaning }: Pick<Variable, 'name' | 'meaning'>,
  [least, most]: readonly [number, number] = [1, PORT_MAX],
): Setting<Port> {
  return text(name, String(byDefault), meaning, (given, { reject }) => {
    const number = /^\d{1,5}$/.test(given) ? Number(given) : -1
    if (number < least || number > most) {
      reject(`${name} must be a port from ${least} to ${most}, not "${given}"`)
    }
    return { program, variable: name, number }
  })
}

/** Every port; each sandbox bank has its own, from that of the first bank on. */
export function portsOf({ ports, workerPort }: StartSettings): readonly Port[] {
  const { sandboxXs2a, ...others } = ports
  const banks = sandbox.banks.map((_bank, index) => ({ ...sandboxXs2a, number: sandboxXs2a.number + index }))
  return [...Object.values(others), ...banks, workerPort]
}

/** The URL of a port on this machine. */
export function addressOf(port: Port): string {
  return `http://${LOOPBACK}:${port.number}`
}
