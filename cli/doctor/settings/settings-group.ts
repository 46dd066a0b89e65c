/** Checks the settings: invalid ones, unknown ones, and combinations that start but do not work. */
import { limitsWithinDescriptors } from '../../../gateway/platform/http/client-limits.ts'
import { isLoopback } from '../../../gateway/platform/http/ip-address.ts'
import { type CheckGroup, checksOf, type Finding, findingsOf, type Installation } from '../check.ts'
import { closestName, knownSettings } from './known-settings.ts'

const { error, note, warning } = checksOf('settings.md#in-production')
const BANK_TIMEOUT_SECONDS_MIN = 10
const LARGE_LOG_MEGABYTES = 100_000
/** Names that only a private network resolves. */
const PRIVATE_HOST = /^[^.]+$|\.(local|internal|localdomain|lan|home|test|example|invalid)$/
const ADDRESS = /^(\d{1,3}(\.\d{1,3}){3}|\[.*\])$/

export const settingsGroup: CheckGroup = {
  title: 'Settings',
  isOnline: false,
  checks: {
    'setting-invalid': error('a setting is missing or invalid'),
    'worker-setting-missing': warning('a setting that only workers need is missing'),
    'setting-unknown': warning(
      'a variable with our prefix is no setting of this release: misspelt, renamed or removed',
      'settings.md',
    ),
    'base-url-path': warning('a public URL has a path, which the gateway does not serve'),
    'base-url-query': error('a public URL has a query, a fragment or a password'),
    'base-url-private': error('a public URL of production names this machine, an IP address or a private name'),
    'sandbox-public': warning('sandbox mode at a URL that is not this machine'),
    'proxy-not-trusted': warning(
      'no proxy is trusted although the gateway is behind one: every user has its address',
      'operating/network.md',
    ),
    'operator-port-missing': warning(
      'production without an operator port: no metrics, no reason of /readyz',
      'operating/monitoring.md',
    ),
    'operator-port-public': error('the operator port is the public port', 'operating/monitoring.md'),
    'log-level': warning('production logs everything, or not what a restore needs'),
    'bank-timeout-short': warning(
      'the timeout of banks is so short that outcomes of orders become unknown',
      'operating/incidents.md',
    ),
    'request-log-size': note('the request log may outgrow the disk', 'operating/console.md#the-request-log'),
    'open-files': warning('the process may open fewer files than it allows connections', 'operating/network.md'),
  },
  inspect: async (installation) => [
    ...invalidSettings(installation),
    ...unknownSettings(installation),
    ...publicUrls(installation),
    ...modes(installation),
    ...limits(installation),
  ],
}

function invalidSettings({ settingErrors, workerErrors }: Installation): readonly Finding[] {
  const action = 'Correct the setting; docs/settings.md describes it. Gateways and workers do not start before.'
  return [
    ...settingErrors.map((problem) => ({ check: 'setting-invalid', problem, where: settingIn(problem), action })),
    ...workerErrors.map((problem) => ({
      check: 'worker-setting-missing',
      problem,
      where: settingIn(problem),
      action: 'Set it on hosts that run havn worker, which does not start without it.',
    })),
  ]
}

function settingIn(error: string): string {
  return /\b(HAVN_[A-Z0-9_]+|OTEL_[A-Z0-9_]+|DATABASE_URL)\b/.exec(error)?.[0] ?? 'settings'
}

function unknownSettings({ environment }: Installation): readonly Finding[] {
  const known = knownSettings()
  const unknown = Object.keys(environment).filter((name) => name.startsWith('HAVN_') && !known.has(name))
  return unknown.map((name) => {
    const closest = closestName(name, known)
    return {
      check: 'setting-unknown',
      problem: `${name} is no setting of this release and has no effect`,
      where: name,
      action: closest === undefined ? `Remove ${name}.` : `Rename it to ${closest}, or remove it.`,
    }
  })
}

function publicUrls({ config, environment }: Installation): readonly Finding[] {
  const urls = {
    HAVN_BASE_URL: config.baseUrl,
    HAVN_AUTH_URL: config.authUrl,
    HAVN_ONBOARDING_URL: config.onboardingUrl,
  }
  return Object.entries(urls).flatMap(([where, text]) => {
    const url = URL.parse(text)
    const isGiven = (environment[where]?.trim() ?? '') !== '' || where === 'HAVN_BASE_URL'
    return url === null || !isGiven ? [] : publicUrl(where, url, config.mode)
  })
}

function publicUrl(where: string, url: URL, mode: 'sandbox' | 'production'): readonly Finding[] {
  const { hostname, pathname, origin } = url
  const isPrivate = isLoopback(hostname) || PRIVATE_HOST.test(hostname) || ADDRESS.test(hostname)
  return [
    ...findingsOf('base-url-path', pathname !== '/', () => ({
      problem: `${where} has the path ${pathname}, but the gateway serves its API at /api and its pages at /`,
      where,
      action: `Set ${where}=${origin}, or have the proxy remove ${pathname} from each path.`,
    })),
    ...findingsOf('base-url-query', `${url.search}${url.hash}${url.username}${url.password}` !== '', () => ({
      problem: `${where} has a query, a fragment or a password, which becomes part of every link`,
      where,
      action: `Set ${where}=${origin}.`,
    })),
    ...findingsOf('base-url-private', mode === 'production' && isPrivate, () => ({
      problem: `${where} names ${hostname}, which partners, browsers and banks cannot reach or verify`,
      where,
      action: `Set ${where} to the public https URL of the proxy in front of the gateways.`,
    })),
    ...findingsOf('sandbox-public', mode === 'sandbox' && !isLoopback(hostname), () => ({
      problem: `${hostname} serves sandbox mode: everyone who reaches it can move the clock and simulate banks`,
      where: 'HAVN_MODE',
      action: 'Set HAVN_MODE=production, or protect the host if it is a sandbox for partners.',
    })),
  ]
}

function modes({ config }: Installation): readonly Finding[] {
  const isProduction = config.mode === 'production'
  return [
    ...findingsOf('proxy-not-trusted', isProduction && config.trustProxy === 0, () => ({
      problem: 'The gateway serves no TLS itself, but trusts no proxy: limits per address count all users together',
      where: 'HAVN_TRUST_PROXY',
      action: 'Set HAVN_TRUST_PROXY to the number of your own proxies in front of the gateway, usually 1.',
    })),
    ...findingsOf('operator-port-missing', isProduction && config.operatorPort === 0, () => ({
      problem: 'A gateway serves no /metrics in production without an operator port',
      where: 'HAVN_OPERATOR_PORT',
      action: 'Set HAVN_OPERATOR_PORT to a port that only your network reaches, such as 9090.',
    })),
    ...findingsOf('operator-port-public', config.operatorPort > 0 && config.operatorPort === config.port, () => ({
      problem: `The operator port is the public port ${config.port}`,
      where: 'HAVN_OPERATOR_PORT',
      action: 'Choose another port that only your network reaches.',
    })),
    ...findingsOf('log-level', isProduction && config.logLevel !== 'info', () => ({
      problem: `The log level is ${config.logLevel}: ${config.logLevel === 'debug' ? 'the log is large and slow' : 'the log does not name orders, so those that a restore of the database loses are not found'}`,
      where: 'HAVN_LOG_LEVEL',
      action: 'Set HAVN_LOG_LEVEL=info.',
    })),
  ]
}

function limits({ config, host }: Installation): readonly Finding[] {
  const { bankAnswerTimeoutSeconds, requestLogMegabytesMax, connectionsMax, connectionsPerAddressMax } = config
  const allowed = limitsWithinDescriptors(
    { max: connectionsMax, maxPerAddress: connectionsPerAddressMax },
    host.openFilesMax,
  )
  return [
    ...findingsOf('bank-timeout-short', bankAnswerTimeoutSeconds < BANK_TIMEOUT_SECONDS_MIN, () => ({
      problem: `Banks have ${bankAnswerTimeoutSeconds} seconds to respond; slower ones leave orders with an unknown outcome`,
      where: 'HAVN_BANK_ANSWER_TIMEOUT_SECONDS',
      action: 'Set it to 30, or remove it.',
    })),
    ...findingsOf('request-log-size', config.requestLog && requestLogMegabytesMax > LARGE_LOG_MEGABYTES, () => ({
      problem: `The request log may take ${requestLogMegabytesMax} MB of the database's disk`,
      where: 'HAVN_REQUEST_LOG_MEGABYTES_MAX',
      action: 'Set it to what the disk has to spare; the default is 2000.',
    })),
    ...findingsOf('open-files', allowed.max < connectionsMax, () => ({
      problem: `${host.openFilesMax} open files allow ${allowed.max} connections, and HAVN_CONNECTIONS_MAX is ${connectionsMax}`,
      where: 'LimitNOFILE',
      action: `Allow at least ${connectionsMax + 200} open files (LimitNOFILE= in the unit, or ulimit -n).`,
    })),
  ]
}
