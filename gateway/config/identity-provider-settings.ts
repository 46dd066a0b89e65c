/** Describes the setting that lists identity providers: JSON, validated field by field. */

import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { rulesByCountry } from '../countries/served-countries.ts'
import { closed } from '../platform/closed-schema.ts'
import { isLoopback } from '../platform/http/ip-address.ts'
import { parseOptionalJson } from '../platform/parse-json.ts'
import { type Mode, type SettingSource, text } from '../platform/setting.ts'
import { sandboxIdentityUrl } from './sandbox-settings.ts'

const NAME = 'HAVN_IDENTITY_PROVIDERS'
const Text = Type.String({ minLength: 1, maxLength: 2000 })
const Texts = Type.Array(Text, { minItems: 1, maxItems: 50 })

const Provider = closed({
  /** Its id here; stored with everything that it vouches for. */
  id: Type.String({ pattern: '^[a-z0-9-]{1,40}$' }),
  /** Its display name, e.g. `BankID`. */
  name: Text,
  issuer: Text,
  clientId: Text,
  /** Exactly one of the three: a secret, the file of one, or the file of a private key (PKCS#8, PEM). */
  clientSecret: Type.Optional(Text),
  clientSecretFile: Type.Optional(Text),
  clientKeyFile: Type.Optional(Text),
  /** The countries whose residents it identifies, ISO 3166-1. */
  countries: Type.Array(Type.String({ pattern: '^[A-Z]{2}$' }), { minItems: 1, maxItems: 50 }),
  /** Hosts of its URLs in addition to that of the issuer. */
  hosts: Type.Optional(Texts),
  scope: Type.Optional(Text),
  /** Sent as `acr_values`. */
  acrValues: Type.Optional(Texts),
  /** The accepted values of `acr`; in the sandbox, any value is accepted without this setting. */
  acrAccepted: Type.Optional(Texts),
  /** The claim that contains the national id; without this setting, none is read. */
  nationalIdClaim: Type.Optional(Text),
  /**
   * The request parameter for the text that the provider shows to the signer, and its value with `{text}` or
   * `{base64}`.
   */
  signingText: Type.Optional(closed({ parameter: Text, value: Text })),
})

/** A provider of OpenID Connect at which persons identify. */
export type IdentityProviderSettings = Static<typeof Provider>

/** A provider of OpenID Connect and our registration there, for whatever purpose. */
export type OpenIdClientSettings = Omit<
  IdentityProviderSettings,
  'name' | 'countries' | 'nationalIdClaim' | 'signingText'
>

const providers = Compile(Type.Array(Provider, { maxItems: 20 }))
/** Parameters of the request itself, which the text to show must not override. */
const RESERVED =
  /^(response_type|client_id|redirect_uri|scope|state|nonce|code_challenge|code_challenge_method|prompt)$/

/** Public, because the sandbox's provider vouches for invented persons only. */
const SANDBOX_CLIENT = { clientId: 'havn', clientSecret: 'havn-sandbox-secret' }

/** The providers of the sandbox at a URL, one per country. */
export function sandboxIdentityProviders(url: string): readonly IdentityProviderSettings[] {
  return Object.entries(rulesByCountry).map(([country, { eid }]) => ({
    id: `sandbox-${eid.sandboxPath}`,
    name: eid.name,
    issuer: `${url}/${eid.sandboxPath}`,
    ...SANDBOX_CLIENT,
    countries: [country],
    scope: 'openid profile nin',
    nationalIdClaim: 'nin',
    signingText: { parameter: 'signing_text', value: '{text}' },
  }))
}

/** For a country, the first that serves it is used; the sandbox's own are the default. */
export const identityProviders = text(
  NAME,
  '',
  'the OpenID Connect providers that identify the signatories of an onboarding, as a JSON list; see [operating.md](operating.md)',
  (given, source) => {
    const sandboxUrl = sandboxIdentityUrl.read(source)
    return given !== ''
      ? parseProviders(given, source)
      : sandboxUrl === null
        ? []
        : sandboxIdentityProviders(sandboxUrl)
  },
)

/** None if there are errors. */
function parseProviders(given: string, { mode, reject }: SettingSource): readonly IdentityProviderSettings[] {
  const listed = parseOptionalJson(given)
  if (!providers.Check(listed)) {
    const [first] = providers.Errors(listed)
    reject(`${NAME} must be a list of identity providers in JSON: ${first?.instancePath ?? ''} ${first?.message ?? ''}`)
    return []
  }
  const errors = listed.flatMap((provider, index) =>
    errorsOf(provider, mode).map((error) => `${NAME}: ${provider.id || `number ${index + 1}`} ${error}`),
  )
  const duplicates = listed.filter(({ id }, index) => listed.findIndex((other) => other.id === id) < index)
  for (const error of [...errors, ...duplicates.map(({ id }) => `${NAME}: ${id} is listed twice`)]) {
    reject(error)
  }
  return errors.length + duplicates.length === 0 ? listed : []
}

function errorsOf(provider: IdentityProviderSettings, mode: Mode): readonly string[] {
  const { issuer, signingText } = provider
  const credentials = [provider.clientSecret, provider.clientSecretFile, provider.clientKeyFile]
  return [
    ...(isIssuer(issuer, mode) ? [] : ['must have an issuer that is an https URL without query and fragment']),
    ...(credentials.filter((given) => given !== undefined).length === 1
      ? []
      : ['must have one of clientSecret, clientSecretFile and clientKeyFile']),
    ...(mode === 'production' && provider.acrAccepted === undefined
      ? ['must list the accepted levels of assurance in acrAccepted']
      : []),
    ...(signingText !== undefined && RESERVED.test(signingText.parameter)
      ? [`must not use the reserved parameter ${signingText.parameter} for its text`]
      : []),
    ...(signingText !== undefined && !/\{(text|base64)\}/.test(signingText.value)
      ? ['must contain {text} or {base64} in the value of signingText']
      : []),
  ]
}

/** http is allowed for loopback addresses in the sandbox. */
export function isIssuer(text: string, mode: Mode): boolean {
  const url = URL.parse(text)
  if (url === null || url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') {
    return false
  }
  return url.protocol === 'https:' || (mode === 'sandbox' && url.protocol === 'http:' && isLoopback(url.hostname))
}
