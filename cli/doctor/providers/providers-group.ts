/** Connects to the services other than banks: identity providers, FX provider, registries, rates, traces. */

import type { OpenIdClientSettings } from '../../../gateway/config/identity-provider-settings.ts'
import { openProviderDiscovery } from '../../../gateway/identity/provider-discovery.ts'
import { type CheckGroup, checksOf, type Finding, type Installation } from '../check.ts'
import { failureChecks, failureFinding, requestUrl } from '../network/request-url.ts'

const SEE = 'operating/providers.md#identity-providers'
const { error } = checksOf(SEE)
const DISCOVERY_PATH = '/.well-known/openid-configuration'
const BRREG_URL = 'https://data.brreg.no/enhetsregisteret/api'
const TRUST =
  'Start Havn with NODE_EXTRA_CA_CERTS=<file> if the service has a CA of its own; else let it correct its certificate.'

type Service = { readonly setting: string; readonly name: string; readonly url: string }

export const providersGroup: CheckGroup = {
  title: 'Providers',
  isOnline: true,
  checks: {
    'oidc-discovery-wrong': error('an identity provider publishes another issuer, other hosts, or not what Havn needs'),
    ...failureChecks('provider', 'an identity provider, the FX provider, a registry or a collector of traces', SEE),
  },
  inspect: async (installation) => {
    const services = servicesOf(installation).map(serviceFindings)
    const issuers = issuersOf(installation).map((issuer) => issuerFindings(issuer, installation))
    return (await Promise.all([...services, ...issuers])).flat()
  },
}

function servicesOf({ config }: Installation): readonly Service[] {
  const service = (setting: string, name: string, url: string | null | undefined) =>
    url == null ? [] : [{ setting, name, url }]
  const hasBrreg = Object.values(config.companyRegistries).includes('brreg')
  return [
    ...service('HAVN_FX_URL', 'The FX provider', config.fx?.url),
    ...service('HAVN_COMPANY_REGISTRIES', 'The company registry', hasBrreg ? BRREG_URL : null),
    ...service('HAVN_REFERENCE_RATES_URL', 'The reference rates', config.referenceRatesUrl),
    ...service('OTEL_EXPORTER_OTLP_ENDPOINT', 'The collector of traces', config.tracesUrl),
  ]
}

/** Any response will do: what it says without credentials depends on the service. */
async function serviceFindings({ setting, name, url }: Service): Promise<readonly Finding[]> {
  const parsed = URL.parse(url)
  const response = parsed === null ? undefined : await requestUrl(parsed)
  return parsed === null || response === undefined || !('failure' in response)
    ? []
    : [failureFinding({ prefix: 'provider', name, where: setting, url: parsed, trust: TRUST }, response)]
}

type Issuer = { readonly setting: string; readonly provider: OpenIdClientSettings }

function issuersOf({ config }: Installation): readonly Issuer[] {
  return [
    ...config.identityProviders.map((provider) => ({ setting: 'HAVN_IDENTITY_PROVIDERS', provider })),
    ...(config.consoleProvider === null
      ? []
      : [{ setting: 'HAVN_CONSOLE_OIDC_ISSUER', provider: config.consoleProvider }]),
  ]
}

async function issuerFindings({ setting, provider }: Issuer, { host }: Installation): Promise<readonly Finding[]> {
  const url = URL.parse(`${provider.issuer.replace(/(?<!\/)\/+$/, '')}${DISCOVERY_PATH}`)
  if (url === null) {
    return []
  }
  const response = await requestUrl(url)
  if ('failure' in response) {
    return [failureFinding({ prefix: 'provider', name: provider.id, where: setting, url, trust: TRUST }, response)]
  }
  try {
    await openProviderDiscovery(provider, host).configuration()
    return []
  } catch (error) {
    return [
      {
        check: 'oidc-discovery-wrong',
        problem: `${error instanceof Error ? error.message : String(error)} (${url.href} answers ${response.status})`,
        where: setting,
        action:
          'Compare issuer, hosts and credentials with the documentation of the provider and with what this URL returns.',
      },
    ]
  }
}
