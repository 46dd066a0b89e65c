/** Finds the client that a token request names, whether or not its secret is right. */
import type { Exchange, PartnerIdentity } from '../platform/http/operations/served-operation.ts'
import { readBasicCredentials } from './basic-credentials.ts'
import type { CredentialCache } from './credential-cache.ts'

/** Undefined for an unknown or disabled client. */
export async function findClientOfTokenRequest(
  credentialCache: CredentialCache,
  { headers, body }: Pick<Exchange, 'headers' | 'body'>,
): Promise<PartnerIdentity | undefined> {
  const named = body instanceof URLSearchParams ? body.get('client_id') : null
  const clientId = readBasicCredentials(headers.authorization)?.clientId ?? named
  return clientId === null ? undefined : (await credentialCache.current()).callersByClientId.get(clientId)
}
