/** Authenticates us at a provider's token endpoint: by a secret, or by a key of ours (RFC 7523). */
import { createPrivateKey, type KeyObject } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { SignJWT } from 'jose'
import type { IdentityProviderSettings } from '../config/identity-provider-settings.ts'
import type { Clock } from '../platform/clock.ts'
import { newId } from '../platform/ids.ts'
import { IdentityProviderError } from './identity-provider-error.ts'

/** The headers and form fields that authenticate a token request. */
export type ClientAuthentication = {
  readonly headers: Readonly<Record<string, string>>
  readonly form: Readonly<Record<string, string>>
}

const ASSERTION_SECONDS = 60
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** Files are read on each use, so that they can be replaced while the program runs. Throws `misconfigured`. */
export async function authenticateClient(
  provider: IdentityProviderSettings,
  tokenEndpoint: string,
  { real }: Pick<Clock, 'real'>,
): Promise<ClientAuthentication> {
  const { clientId, clientKeyFile, clientSecretFile } = provider
  if (clientKeyFile !== undefined) {
    const key = createPrivateKey(await read(provider, clientKeyFile))
    const issuedAt = Math.floor(real().epochMilliseconds / 1000)
    const assertion = await new SignJWT({})
      .setProtectedHeader({ alg: algorithmOf(provider, key), typ: 'JWT' })
      .setIssuer(clientId)
      .setSubject(clientId)
      .setAudience([provider.issuer, tokenEndpoint])
      .setJti(newId())
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + ASSERTION_SECONDS)
      .sign(key)
    return { headers: {}, form: { client_assertion_type: ASSERTION_TYPE, client_assertion: assertion } }
  }
  const secret =
    clientSecretFile === undefined ? (provider.clientSecret ?? '') : (await read(provider, clientSecretFile)).trim()
  // RFC 6749, 2.3.1: both are form-encoded first.
  const pair = [clientId, secret].map((part) => new URLSearchParams({ part }).toString().slice('part='.length))
  return { headers: { authorization: `Basic ${Buffer.from(pair.join(':')).toString('base64')}` }, form: {} }
}

function algorithmOf({ id }: IdentityProviderSettings, key: KeyObject): string {
  const curve = key.asymmetricKeyDetails?.namedCurve
  const algorithm =
    key.asymmetricKeyType === 'ed25519'
      ? 'EdDSA'
      : key.asymmetricKeyType === 'ec' && curve === 'prime256v1'
        ? 'ES256'
        : key.asymmetricKeyType === 'rsa'
          ? 'RS256'
          : undefined
  if (algorithm === undefined) {
    throw new IdentityProviderError('misconfigured', `The client key for ${id} must be Ed25519, P-256 or RSA`)
  }
  return algorithm
}

async function read({ id }: IdentityProviderSettings, file: string): Promise<string> {
  return await readFile(file, 'utf8').catch((error: unknown) => {
    throw new IdentityProviderError(
      'misconfigured',
      `The credentials for the identity provider ${id} cannot be read`,
      error,
    )
  })
}
