/** Reads the metadata of a bank's authorisation server (RFC 8414); its URLs must be on the bank's own hosts. */
import { type Static, Type } from 'typebox'
import { tolerantResponseParser } from '../../../../platform/http/response-parser.ts'
import { BankError } from '../../../connector/bank-error.ts'
import { isOfKind } from '../../../connector/bank-error-classification.ts'
import type { Bank } from '../../../directory/bank.ts'
import { requireLinkOrApiUrl, requireLinkUrl } from '../../../transport/bank-urls.ts'
import type { BankClient } from '../transport/bank-client.ts'
import { bankErrorOf } from '../transport/bank-errors.ts'
import { sendUnsignedRequest } from '../transport/unsigned-request.ts'

const Address = Type.String({ minLength: 1, maxLength: 2000 })
const Metadata = Type.Object({
  issuer: Address,
  authorization_endpoint: Address,
  token_endpoint: Address,
  revocation_endpoint: Type.Optional(Address),
  response_types_supported: Type.Optional(Type.Array(Type.String())),
  code_challenge_methods_supported: Type.Optional(Type.Array(Type.String())),
})
export type ServerMetadata = Pick<
  Static<typeof Metadata>,
  'issuer' | 'authorization_endpoint' | 'token_endpoint' | 'revocation_endpoint'
>
const readMetadata = tolerantResponseParser(Metadata)

const WELL_KNOWN = '/.well-known/oauth-authorization-server'

/** The validated metadata at a URL of the bank. Throws `misconfigured` when it is invalid. */
export async function fetchServerMetadata(line: BankClient, bank: Bank, href: string): Promise<ServerMetadata> {
  const url = requireLinkOrApiUrl(bank, href)
  const response = await sendUnsignedRequest(line, bank, { operation: 'getAuthorisationServer', method: 'GET', url })
  if (response.status !== 200) {
    // No token is sent with this request: a rejection says nothing about those that are to be renewed.
    const error = bankErrorOf('authorisation', response)
    throw isOfKind(error, 'token-invalid') ? new BankError('misconfigured', error.message) : error
  }
  const answer = { bank: bank.bic, operation: 'getAuthorisationServer' }
  const metadata = readMetadata(response.body, (deviation) => line.observeDeviations(answer, [deviation]))
  const fault = metadata === undefined ? 'is not of the shape of RFC 8414' : faultOf(metadata, url)
  if (metadata === undefined || fault !== undefined) {
    throw new BankError('misconfigured', `The metadata of the bank's authorisation server ${fault}`)
  }
  const { revocation_endpoint: revocation } = metadata
  return {
    issuer: metadata.issuer,
    authorization_endpoint: requireLinkUrl(bank, metadata.authorization_endpoint),
    token_endpoint: requireLinkOrApiUrl(bank, metadata.token_endpoint),
    ...(revocation === undefined ? {} : { revocation_endpoint: requireLinkOrApiUrl(bank, revocation) }),
  }
}

function faultOf(metadata: Static<typeof Metadata>, url: string): string | undefined {
  const { issuer, response_types_supported: types, code_challenge_methods_supported: methods } = metadata
  if (!metadataUrlsOf(issuer).includes(url)) {
    return 'names an issuer whose description is elsewhere'
  }
  if (types?.includes('code') === false) {
    return 'offers no code grant'
  }
  return methods?.includes('S256') === true ? undefined : 'does not offer PKCE by S256'
}

/** Metadata URLs of an issuer: by the RFC the suffix precedes the path, at many servers it follows. */
function metadataUrlsOf(issuer: string): readonly string[] {
  const url = URL.parse(issuer)
  if (url === null || url.search !== '' || url.hash !== '') {
    return []
  }
  const path = url.pathname.replace(/\/$/, '')
  return [`${url.origin}${WELL_KNOWN}${path}`, `${url.origin}${path}${WELL_KNOWN}`]
}
