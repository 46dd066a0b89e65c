/** Lists the settings of gateway and worker themselves: mode, ports and URLs, limits, and logs. */
import { isIPv6 } from 'node:net'
import {
  integer,
  oneOf,
  onOrOff,
  optionalUrl,
  POSITIVE_NUMBERS,
  publicUrl,
  required,
  text,
} from '../platform/setting.ts'

const PORTS = [0, 65_535] as const
/** The measured range; the request body limit allows few more. */
const PAYROLL_TRANSACTIONS_RANGE = [1, 10_000] as const

export const modeSetting = oneOf(
  'HAVN_MODE',
  'production',
  ['sandbox', 'production'],
  '`production`, or `sandbox` with its movable clock and its OAuth scope',
)
const host = text(
  'HAVN_HOST',
  '127.0.0.1',
  'the one address to listen on; `localhost` is `127.0.0.1`, and `::` is every address of IPv6 and IPv4',
)
const port = integer('HAVN_PORT', 8080, 'port of the gateway', PORTS)
const baseUrl = publicUrl(
  {
    name: 'HAVN_BASE_URL',
    byDefault: 'host and port',
    meaning: 'public URL of the API and of the hosted pages; https in production',
  },
  (source) => {
    const address = host.read(source)
    return `http://${isIPv6(address) ? `[${address}]` : address}:${port.read(source)}`
  },
)

export const SERVER_SETTINGS = {
  masterKeyFile: required(
    {
      name: 'HAVN_MASTER_KEY_FILE',
      meaning: 'file with the keys that encrypt secrets in the database, created by `havn keys create`',
      file: 'secret',
    },
    'the master key file, created by `havn keys create`',
  ),
  mode: modeSetting,
  host,
  port,
  workerPort: integer(
    'HAVN_WORKER_PORT',
    0,
    "port of a worker's `/healthz`, `/readyz` and `/metrics`; 0 chooses a free port and logs it",
    PORTS,
  ),
  operatorPort: integer(
    'HAVN_OPERATOR_PORT',
    0,
    "port of a gateway's `/metrics` and detailed `/readyz`; 0 serves them on the gateway's own port, in sandbox mode only",
  ),
  baseUrl,
  authUrl: publicUrl(
    { name: 'HAVN_AUTH_URL', byDefault: 'the base URL', meaning: 'public URL of the token endpoint' },
    baseUrl.read,
  ),
  onboardingUrl: publicUrl(
    { name: 'HAVN_ONBOARDING_URL', byDefault: 'the base URL', meaning: 'public URL of the onboarding pages' },
    baseUrl.read,
  ),
  trustProxy: integer(
    'HAVN_TRUST_PROXY',
    0,
    'number of your own reverse proxies in front of the gateway; `X-Forwarded-*` headers are trusted from these only',
  ),
  tokenRequestsPerMinute: integer(
    'HAVN_TOKEN_REQUESTS_PER_MINUTE',
    60,
    'token requests of one client from one address; ten times as many of all clients from one address, and as many 401 responses',
    POSITIVE_NUMBERS,
  ),
  requestsPerSecond: integer('HAVN_REQUESTS_PER_SECOND', 100, 'all other requests of one client', POSITIVE_NUMBERS),
  connectionsMax: integer(
    'HAVN_CONNECTIONS_MAX',
    2_000,
    'open connections; fewer where the process may open fewer files (`ulimit -n`)',
    POSITIVE_NUMBERS,
  ),
  connectionsPerAddressMax: integer(
    'HAVN_CONNECTIONS_PER_ADDRESS_MAX',
    500,
    'open connections from one IPv4 address or IPv6 /64; no limit if `HAVN_TRUST_PROXY` is above 0',
    POSITIVE_NUMBERS,
  ),
  drainSeconds: integer(
    'HAVN_DRAIN_SECONDS',
    0,
    'for this long, at most 300, a gateway that received SIGTERM answers all requests, while `/readyz` answers 503 so that the load balancer sends no more; longer than the interval of its checks',
    [0, 300],
  ),
  unattendedReadsPerDay: integer(
    'HAVN_UNATTENDED_READS_PER_DAY',
    4,
    'reads of each kind of an account per day while its user is not present; the account list is counted per consent',
    POSITIVE_NUMBERS,
  ),
  payrollTransactionsMax: integer(
    'HAVN_PAYROLL_TRANSACTIONS_MAX',
    10_000,
    'transactions of one payroll, at most 10,000; a bank may accept fewer',
    PAYROLL_TRANSACTIONS_RANGE,
  ),
  requestLog: onOrOff('HAVN_REQUEST_LOG', '1', '`0` logs no requests of partners for the console'),
  requestLogMegabytesMax: integer(
    'HAVN_REQUEST_LOG_MEGABYTES_MAX',
    2_000,
    'size of all logged requests; above it the partner that stores most loses its oldest ones, also before they are 30 days old',
    POSITIVE_NUMBERS,
  ),
  bankCallLog: onOrOff('HAVN_BANK_CALL_LOG', '1', '`0` neither logs nor counts calls to banks for the console'),
  logLevel: oneOf(
    'HAVN_LOG_LEVEL',
    'info',
    ['debug', 'info', 'warn', 'error', 'silent'],
    '`debug`, `info`, `warn`, `error` or `silent`; those above `info` do not log the orders that `havn reconcile` finds after a restore',
  ),
  tracesUrl: optionalUrl('OTEL_EXPORTER_OTLP_ENDPOINT', 'endpoint for OpenTelemetry traces; without it there are none'),
}
