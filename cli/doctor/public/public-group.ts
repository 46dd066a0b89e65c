/** Calls our own public URLs as partners do, to see what proxies in between change. */
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { type CheckGroup, checksOf, type Finding, findingsOf, type Installation } from '../check.ts'
import { failureChecks, failureFinding, requestUrl, type UrlResponse } from '../network/request-url.ts'

const SEE = 'operating/network.md'
const { error, warning } = checksOf(SEE)
/** A certificate for websites is renewed automatically, a month before it expires as a rule. */
const EXPIRY_DAYS = 14
const NAMES = { HAVN_BASE_URL: 'baseUrl', HAVN_AUTH_URL: 'authUrl', HAVN_ONBOARDING_URL: 'onboardingUrl' } as const
/** Values that no request of a partner has. */
const SENT: Readonly<Record<string, string>> = {
  authorization: 'Bearer havn-doctor',
  'consent-id': '00000000-0000-0000-0000-000000000000',
  'idempotency-key': 'havn-doctor',
  'psu-ip-address': '192.0.2.1',
  'psu-user-agent': 'havn-doctor',
  prefer: 'handling=strict',
}

const Alive = Type.Object({ status: Type.Literal('alive') })
const Received = Type.Object({ headers: Type.Array(Type.String()), forwardedFor: Type.Integer() })

export const publicGroup: CheckGroup = {
  title: 'Public URLs and proxies',
  isOnline: true,
  checks: {
    'public-not-havn': error('a public URL leads to another program than a gateway'),
    'public-certificate-expires': warning('the TLS certificate of a public URL expires within 14 days'),
    'proxy-strips-request-headers': error(
      'a proxy removes headers of requests: authorization, consent-id, idempotency-key …',
    ),
    'proxy-strips-response-headers': error('a proxy removes svc-request-id or WWW-Authenticate from responses'),
    'proxy-count': error(
      'X-Forwarded-For has not as many addresses as proxies are trusted: users can choose their address',
    ),
    ...failureChecks('public', 'a public URL', SEE),
  },
  inspect: async ({ config, environment, host }) => {
    const given = Object.entries(NAMES).filter(
      ([setting]) => setting === 'HAVN_BASE_URL' || (environment[setting]?.trim() ?? '') !== '',
    )
    const findings = given.map(([setting, name]) => urlFindings(setting, config[name], host))
    return (await Promise.all([...findings, proxyFindings(config.baseUrl, config.trustProxy)])).flat()
  },
}

/** Whether a gateway answers there. */
async function urlFindings(where: string, baseUrl: string, host: Installation['host']): Promise<readonly Finding[]> {
  const url = URL.parse(`${baseUrl}/healthz`)
  if (url === null) {
    return []
  }
  const response = await requestUrl(url)
  if ('failure' in response) {
    const trust = 'Install the certificate of this host with its intermediate certificates at the proxy.'
    return [failureFinding({ prefix: 'public', name: where, where, url, trust }, response)]
  }
  const daysLeft = response.certificateExpiresAt?.since(host.real()).total('hours')
  return [
    ...findingsOf('public-not-havn', jsonOf(Alive, response) === undefined, () => ({
      problem: `${url.href} answers ${response.status}, not as the /healthz of a gateway`,
      where,
      action: `Correct ${where}, or let the proxy pass all paths of ${url.host} on to the port of the gateway.`,
    })),
    ...findingsOf('public-certificate-expires', daysLeft !== undefined && daysLeft < EXPIRY_DAYS * 24, () => ({
      problem: `The TLS certificate of ${url.host} expires at ${response.certificateExpiresAt}`,
      where,
      action: 'Renew the certificate at the proxy, and find out why it was not renewed automatically.',
    })),
  ]
}

/** Without a gateway at the URL nothing is found: that is the finding of another check. */
async function proxyFindings(baseUrl: string, trustProxy: number): Promise<readonly Finding[]> {
  const [echo, api] = [URL.parse(`${baseUrl}/healthz/request`), URL.parse(`${baseUrl}/api/v2/payments`)]
  if (echo === null || api === null) {
    return []
  }
  const [echoed, rejected] = await Promise.all([requestUrl(echo, { headers: SENT }), requestUrl(api)])
  const received = 'failure' in echoed ? undefined : jsonOf(Received, echoed)
  if (received === undefined || 'failure' in rejected) {
    return []
  }
  const stripped = Object.keys(SENT).filter((name) => !received.headers.includes(name))
  const missing = [
    ...(rejected.headers['svc-request-id'] === undefined ? ['svc-request-id'] : []),
    ...(rejected.status === 401 && rejected.headers['www-authenticate'] === undefined ? ['WWW-Authenticate'] : []),
  ]
  return [
    ...findingsOf('proxy-strips-request-headers', stripped.length > 0, () => ({
      problem: `A proxy removes ${stripped.join(', ')} from requests: ${stripped.includes('authorization') ? 'every request is 401' : 'requests that need them are rejected'}`,
      where: 'HAVN_BASE_URL',
      action: 'Let the proxy pass all headers on, also those with hyphens and Authorization.',
    })),
    ...findingsOf('proxy-strips-response-headers', missing.length > 0, () => ({
      problem: `A proxy removes ${missing.join(', ')} from responses`,
      where: 'HAVN_BASE_URL',
      action: 'Let the proxy pass all headers of responses on, also of those with status 401.',
    })),
    ...findingsOf('proxy-count', received.forwardedFor !== trustProxy, () => ({
      problem: `X-Forwarded-For arrives with ${received.forwardedFor} addresses, and HAVN_TRUST_PROXY is ${trustProxy}${received.forwardedFor < trustProxy ? ': a user can choose the address that we see' : ': the address of a proxy is taken for that of the user'}`,
      where: 'HAVN_TRUST_PROXY',
      action: `Let each proxy append to X-Forwarded-For, and set HAVN_TRUST_PROXY to their number, probably ${received.forwardedFor}.`,
    })),
  ]
}

function jsonOf<Shape extends typeof Alive | typeof Received>(
  shape: Shape,
  { body }: UrlResponse,
): Static<Shape> | undefined {
  try {
    return Value.Parse(shape, JSON.parse(body))
  } catch {
    return undefined
  }
}
