/** Reads which identity providers there are: a list in JSON, checked member by member. */
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { isLoopback } from '../platform/http/loopback.ts'

const Text = Type.String({ minLength: 1, maxLength: 2000 })
const Texts = Type.Array(Text, { minItems: 1, maxItems: 50 })

const Provider = Type.Object(
  {
    /** What it is known by here; kept with everything that it vouches for. */
    id: Type.String({ pattern: '^[a-z0-9-]{1,40}$' }),
    /** What people know it by, e.g. `BankID`. */
    name: Text,
    issuer: Text,
    clientId: Text,
    /** One of the three: a secret, the file of one, or the file of a private key (PKCS#8, PEM). */
    clientSecret: Type.Optional(Text),
    clientSecretFile: Type.Optional(Text),
    clientKeyFile: Type.Optional(Text),
    /** The countries whose people it identifies, ISO 3166-1. */
    countries: Type.Array(Type.String({ pattern: '^[A-Z]{2}$' }), { minItems: 1, maxItems: 50 }),
    /** Hosts of its addresses besides that of the issuer. */
    hosts: Type.Optional(Texts),
    scope: Type.Optional(Text),
    /** What is asked for as `acr_values`. */
    acrValues: Type.Optional(Texts),
    /** The values of `acr` that are strong enough; in the sandbox, without them, whatever the provider does is. */
    acrAccepted: Type.Optional(Texts),
    /** The claim that holds the national id; without it, none is read. */
    nationalIdClaim: Type.Optional(Text),
    /** How the provider is told what to show to whoever signs: a parameter, and its value with `{text}` or `{base64}` in it. */
    signingText: Type.Optional(Type.Object({ parameter: Text, value: Text }, { additionalProperties: false })),
  },
  { additionalProperties: false },
)

/** A provider of OpenID Connect at which persons identify. */
export type IdentityProviderSettings = Static<typeof Provider>

const providers = Compile(Type.Array(Provider, { maxItems: 20 }))
/** A request's own parameters; a text to show must not take the place of one. */
const RESERVED =
  /^(response_type|client_id|redirect_uri|scope|state|nonce|code_challenge|code_challenge_method|prompt)$/

/** The eIDs that the sandbox's identity provider plays: path, name, countries. */
const SANDBOX_EIDS = [
  { path: 'bankid-no', name: 'BankID', country: 'NO' },
  { path: 'bankid-se', name: 'BankID', country: 'SE' },
  { path: 'mitid', name: 'MitID', country: 'DK' },
  { path: 'ftn', name: 'FTN', country: 'FI' },
] as const
/** Everybody knows it: the sandbox's provider vouches for invented people only. */
const SANDBOX_CLIENT = { clientId: 'havn', clientSecret: 'havn-sandbox-secret' }

/** The providers of the sandbox at an address of theirs. */
export function sandboxIdentityProviders(url: string): readonly IdentityProviderSettings[] {
  return SANDBOX_EIDS.map(({ path, name, country }) => ({
    id: `sandbox-${path}`,
    name,
    issuer: `${url}/${path}`,
    ...SANDBOX_CLIENT,
    countries: [country],
    scope: 'openid profile nin',
    nationalIdClaim: 'nin',
    signingText: { parameter: 'signing_text', value: '{text}' },
  }))
}

/** No text means none; what is wrong is added to `problems`, and then there are none either. */
export function readIdentityProviders(
  { name, text }: { readonly name: string; readonly text: string },
  { mode, problems }: { readonly mode: 'sandbox' | 'production'; readonly problems: string[] },
): readonly IdentityProviderSettings[] {
  if (text === '') {
    return []
  }
  const listed = parsed(text)
  if (!providers.Check(listed)) {
    const [first] = providers.Errors(listed)
    problems.push(
      `${name} must be a list of identity providers in JSON: ${first?.instancePath ?? ''} ${first?.message ?? ''}`,
    )
    return []
  }
  const faults = listed.flatMap((provider, index) =>
    faultsOf(provider, mode).map((fault) => `${name}: ${provider.id || `number ${index + 1}`} ${fault}`),
  )
  const twins = listed.filter(({ id }, index) => listed.findIndex((other) => other.id === id) < index)
  problems.push(...faults, ...twins.map(({ id }) => `${name}: ${id} stands there twice`))
  return faults.length + twins.length === 0 ? listed : []
}

function faultsOf(provider: IdentityProviderSettings, mode: 'sandbox' | 'production'): readonly string[] {
  const { issuer, signingText } = provider
  const credentials = [provider.clientSecret, provider.clientSecretFile, provider.clientKeyFile]
  return [
    ...(isIssuer(issuer, mode) ? [] : ['must have an issuer that is an https address without query and fragment']),
    ...(credentials.filter((given) => given !== undefined).length === 1
      ? []
      : ['must have one of clientSecret, clientSecretFile and clientKeyFile']),
    ...(mode === 'production' && provider.acrAccepted === undefined
      ? ['must list in acrAccepted which levels of assurance are strong enough']
      : []),
    ...(signingText !== undefined && RESERVED.test(signingText.parameter)
      ? [`must not put its text into ${signingText.parameter}`]
      : []),
    ...(signingText !== undefined && !/\{(text|base64)\}/.test(signingText.value)
      ? ['must say with {text} or {base64} where its text goes']
      : []),
  ]
}

/** Plain http is for this machine, in the sandbox. */
function isIssuer(text: string, mode: 'sandbox' | 'production'): boolean {
  const url = URL.parse(text)
  if (url === null || url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') {
    return false
  }
  return url.protocol === 'https:' || (mode === 'sandbox' && url.protocol === 'http:' && isLoopback(url.hostname))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
