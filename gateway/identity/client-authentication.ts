/** Authenticates us at a provider's token endpoint: by a secret, or by a key of ours (RFC 7523). */
import { createPrivateKey, type KeyObject } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type ClientAuth, modifyAssertion, PrivateKeyJwt, type ServerMetadata } from 'openid-client'
import type { OpenIdClientSettings } from '../config/identity-provider-settings.ts'
import { IdentityProviderError } from './identity-provider.ts'

/** Files are read on each use, so that they can be replaced while the program runs. Throws `misconfigured`. */
export async function authenticateClient(
  provider: OpenIdClientSettings,
  { issuer, token_endpoint: tokenEndpoint = issuer }: ServerMetadata,
): Promise<ClientAuth> {
  const { clientKeyFile, clientSecretFile, clientSecret = '' } = provider
  if (clientKeyFile === undefined) {
    return authenticateBySecret(
      clientSecretFile === undefined ? clientSecret : (await read(provider, clientSecretFile)).trim(),
    )
  }
  return PrivateKeyJwt(importKey(provider, await read(provider, clientKeyFile)), {
    [modifyAssertion]: (header, payload) => {
      // Providers differ in which of the two they accept; most know Ed25519 by its older name only.
      payload['aud'] = [issuer, tokenEndpoint]
      header['alg'] = header['alg'] === 'Ed25519' ? 'EdDSA' : header['alg']
    },
  })
}

/** Not that of the library: it escapes hyphens as well, which providers that do not decode the pair reject. */
function authenticateBySecret(secret: string): ClientAuth {
  return (_server, { client_id: clientId }, _body, headers) => {
    // RFC 6749, 2.3.1: both are form-encoded first.
    const pair = [clientId, secret].map((part) => new URLSearchParams({ part }).toString().slice('part='.length))
    headers.set('authorization', `Basic ${Buffer.from(pair.join(':')).toString('base64')}`)
  }
}

function importKey({ id }: OpenIdClientSettings, pem: string): CryptoKey {
  const key = parseKey(id, pem)
  const { asymmetricKeyType: type, asymmetricKeyDetails: { namedCurve } = {} } = key
  if (type === 'ed25519') {
    return key.toCryptoKey('Ed25519', false, ['sign'])
  }
  if (type === 'ec' && namedCurve === 'prime256v1') {
    return key.toCryptoKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign'])
  }
  if (type === 'rsa') {
    return key.toCryptoKey({ name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }, false, ['sign'])
  }
  throw new IdentityProviderError('misconfigured', `The client key for ${id} must be Ed25519, P-256 or RSA`)
}

function parseKey(id: string, pem: string): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch (cause) {
    throw new IdentityProviderError('misconfigured', `The client key for ${id} is no private key in PEM`, cause)
  }
}

async function read({ id }: OpenIdClientSettings, file: string): Promise<string> {
  return await readFile(file, 'utf8').catch((error: unknown) => {
    throw new IdentityProviderError(
      'misconfigured',
      `The credentials for the identity provider ${id} cannot be read`,
      error,
    )
  })
}
