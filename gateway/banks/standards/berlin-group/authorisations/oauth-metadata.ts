/** Reads the description of a bank's authorisation server (RFC 8414), and believes it only within the bank's own hosts. */
import { type Static, Type } from 'typebox'
import { reader } from '../../../../platform/http/response-parser.ts'
import { callBeside } from '../../../berlin-group/call-beside.ts'
import { BankRefusal } from '../../../connector/bank-error.ts'
import type { Bank } from '../../../directory/bank.ts'
import { addressOf, interfaceAddressOf } from '../../../transport/bank-urls.ts'
import type { Line } from '../transport/bank-client.ts'
import { refusalOf } from '../transport/bank-errors.ts'

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
const readMetadata = reader(Metadata)

const WELL_KNOWN = '/.well-known/oauth-authorization-server'

/** The description at an address of the bank's; refused when any part of it is not what it must be. */
export async function metadataAt(line: Line, bank: Bank, href: string): Promise<ServerMetadata> {
  const url = interfaceAddressOf(bank, href)
  const response = await callBeside(line, bank, { operation: 'getAuthorisationServer', method: 'GET', url })
  if (response.status !== 200) {
    throw refusalOf('authorisation', response)
  }
  const metadata = readMetadata(response.body)
  const fault = metadata === undefined ? 'is not of the shape of RFC 8414' : faultOf(metadata, url)
  if (metadata === undefined || fault !== undefined) {
    throw new BankRefusal('misconfigured', `The description of the bank's authorisation server ${fault}`)
  }
  const { revocation_endpoint: revocation } = metadata
  return {
    issuer: metadata.issuer,
    authorization_endpoint: addressOf(bank, metadata.authorization_endpoint),
    token_endpoint: interfaceAddressOf(bank, metadata.token_endpoint),
    ...(revocation === undefined ? {} : { revocation_endpoint: interfaceAddressOf(bank, revocation) }),
  }
}

function faultOf(metadata: Static<typeof Metadata>, url: string): string | undefined {
  const { issuer, response_types_supported: types, code_challenge_methods_supported: methods } = metadata
  if (!addressesOf(issuer).includes(url)) {
    return 'names an issuer whose description is elsewhere'
  }
  if (types?.includes('code') === false) {
    return 'offers no code grant'
  }
  return methods?.includes('S256') === true ? undefined : 'does not offer PKCE by S256'
}

/** Where the description of an issuer is: by the RFC in front of its path, at many servers behind it. */
function addressesOf(issuer: string): readonly string[] {
  const url = URL.parse(issuer)
  if (url === null || url.search !== '' || url.hash !== '') {
    return []
  }
  const path = url.pathname.replace(/\/$/, '')
  return [`${url.origin}${WELL_KNOWN}${path}`, `${url.origin}${path}${WELL_KNOWN}`]
}
