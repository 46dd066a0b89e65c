/** Identifies persons by OpenID Connect: the authorisation code flow with PKCE, state and nonce. */
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { IdentityProviderSettings } from '../config/identity-provider-settings.ts'
import { challengeOf, newVerifier, VERIFIER_CHARACTERS_MIN } from '../foundation/pkce.ts'
import type { Clock } from '../platform/clock.ts'
import { newToken } from '../platform/ids.ts'
import { callProvider, type ProviderAnswer } from './call-identity-provider.ts'
import { proveClient } from './client-authentication.ts'
import type {
  Identification,
  IdentificationAsked,
  IdentificationBrought,
  IdentityProvider,
} from './identity-provider.ts'
import { IdentityRefusal } from './identity-refusal.ts'
import { personOfClaims } from './person-from-claims.ts'
import { openPublications, type Publications } from './provider-keys.ts'
import { readIdToken } from './read-id-token.ts'
import { stateFor } from './return-state.ts'

/** What the browser must come back to. */
const Secret = Type.Object({
  issuer: Type.String(),
  countryCode: Type.String(),
  state: Type.String({ minLength: 1 }),
  nonce: Type.String({ minLength: 1 }),
  verifier: Type.String({ minLength: VERIFIER_CHARACTERS_MIN }),
})
type Secret = Static<typeof Secret>

const secretShape = Compile(Secret)
const grantedShape = Compile(Type.Object({ id_token: Type.String({ minLength: 1 }) }))
const errorShape = Compile(Type.Object({ error: Type.String() }))

/** What a person's no looks like (OpenID Connect Core 1.0, 3.1.2.6; the last three where somebody turns away in between). */
const DENIED: ReadonlySet<string> = new Set([
  'access_denied',
  'interaction_required',
  'login_required',
  'consent_required',
])
const PASSING: ReadonlySet<string> = new Set(['server_error', 'temporarily_unavailable'])

type Tools = { readonly clock: Pick<Clock, 'real'>; readonly redirectUri: string }
type Opened = Tools & { readonly provider: IdentityProviderSettings; readonly publications: Publications }

/** Opens one; nothing is asked of it yet. `redirectUri` is what is registered there as ours. */
export function openIdConnect(provider: IdentityProviderSettings, tools: Tools): IdentityProvider {
  const opened: Opened = { ...tools, provider, publications: openPublications(provider, tools.clock) }
  return {
    id: provider.id,
    name: provider.name,
    begin: (asked) => begin(opened, asked),
    finish: (brought) => finish(opened, brought),
  }
}

async function begin({ provider, publications, redirectUri }: Opened, asked: IdentificationAsked) {
  const metadata = await publications.metadata()
  const secret: Secret = {
    issuer: metadata.issuer,
    countryCode: asked.countryCode,
    state: stateFor(asked.back),
    // The provider signs the nonce, and with it what the person was shown.
    nonce: asked.documentHash === null ? newToken() : `${newToken()}.${asked.documentHash}`,
    verifier: newVerifier(),
  }
  const url = new URL(metadata.authorization_endpoint)
  const query = {
    response_type: 'code',
    client_id: provider.clientId,
    redirect_uri: redirectUri,
    scope: provider.scope ?? 'openid profile',
    state: secret.state,
    nonce: secret.nonce,
    code_challenge: challengeOf(secret.verifier),
    code_challenge_method: 'S256',
    // Whoever sat here before must not sign for who sits here now.
    prompt: 'login',
    ui_locales: asked.language,
    ...(provider.acrValues === undefined ? {} : { acr_values: provider.acrValues.join(' ') }),
    ...signingText(provider, asked.text),
  }
  for (const [name, value] of Object.entries(query)) {
    url.searchParams.set(name, value)
  }
  return { url: url.href, secret: JSON.stringify(secret) }
}

function signingText({ signingText: how }: IdentityProviderSettings, text: string | null): Record<string, string> {
  if (how === undefined || text === null) {
    return {}
  }
  const base64 = Buffer.from(text).toString('base64')
  return { [how.parameter]: how.value.replaceAll('{base64}', () => base64).replaceAll('{text}', () => text) }
}

/** What another browser or another asking brought is worth nothing, not even a no. */
async function finish(opened: Opened, { query, secret: kept }: IdentificationBrought): Promise<Identification> {
  const secret = readSecret(kept)
  const { code, error, iss, state } = query
  const { namesIssuer } = await opened.publications.metadata()
  const isOurs = state === secret.state && (iss === undefined ? !namesIssuer : iss === secret.issuer)
  if (!isOurs) {
    return { outcome: 'foreign' }
  }
  if (error !== undefined) {
    return deniedBy(opened, error)
  }
  const idToken = code === undefined ? null : await redeem(opened, code, secret)
  if (idToken === null) {
    return { outcome: 'foreign' }
  }
  const claims = await readIdToken(opened.provider, opened, { idToken, nonce: secret.nonce })
  return { outcome: 'identified', person: personOfClaims(opened.provider, claims, secret.countryCode), idToken }
}

function deniedBy({ provider }: Opened, error: string): Identification {
  if (DENIED.has(error)) {
    return { outcome: 'denied' }
  }
  const isPassing = PASSING.has(error)
  throw new IdentityRefusal(
    isPassing ? 'unavailable' : 'misconfigured',
    `The identity provider ${provider.id} sent the browser back with ${wordOf(error)}`,
  )
}

/** The ID token that a code is worth; null when it is worth none (any more). */
async function redeem(
  { clock, provider, publications, redirectUri }: Opened,
  code: string,
  { verifier }: Secret,
): Promise<string | null> {
  const { token_endpoint: address } = await publications.metadata()
  const proof = await proveClient(provider, address, clock)
  const form = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    client_id: provider.clientId,
    code_verifier: verifier,
    ...proof.form,
  }
  const answer = await callProvider(address, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...proof.headers },
    body: new URLSearchParams(form).toString(),
  })
  if (answer.status === 200 && grantedShape.Check(answer.body)) {
    return answer.body.id_token
  }
  const error = errorOf(answer)
  if (error === 'invalid_grant' && answer.status < 500) {
    return null
  }
  const isPassing = answer.status >= 500 || answer.status === 429
  // The answer itself is not told: it may hold a token.
  throw new IdentityRefusal(
    isPassing ? 'unavailable' : 'misconfigured',
    `The identity provider ${provider.id} exchanged no code: ${answer.status} ${wordOf(error)}`,
  )
}

function errorOf({ body }: ProviderAnswer): string {
  return errorShape.Check(body) ? body.error : ''
}

function wordOf(error: string): string {
  return /^[a-z_]{1,50}$/.test(error) ? error : 'a word of its own'
}

function readSecret(kept: string): Secret {
  const secret: unknown = JSON.parse(kept)
  if (!secretShape.Check(secret)) {
    throw new Error('What was kept of an identification is not what it must be')
  }
  return secret
}
