/** Describes a bank's authorisation server (RFC 8414): where browsers and third parties go, and what it can. */
import type { Addresses } from '../bank-context.ts'
import type { BankProfile } from '../fixture.ts'
import { SERVICES } from './scope.ts'

/** The path below a bank's base path, and in front of it as the standard has it. */
export const WELL_KNOWN = '.well-known/oauth-authorization-server'

/** Where the description is found. */
export function metadataAddress({ xs2aUrl }: Addresses, { basePath }: BankProfile): string {
  return `${xs2aUrl}/${basePath}/${WELL_KNOWN}`
}

/** Where browsers are sent. */
export function authoriseAddress({ pagesUrl }: Addresses, { basePath }: BankProfile): string {
  return `${pagesUrl}/oauth/${basePath}/authorize`
}

/** Whether third parties may end what was granted to them (RFC 7009): few banks offer it. */
export function endsGrants({ oauth }: BankProfile): boolean {
  return oauth === 'pre-step'
}

/** The description itself. */
export function metadataOf(addresses: Addresses, bank: BankProfile): object {
  const issuer = `${addresses.xs2aUrl}/${bank.basePath}`
  return {
    issuer,
    authorization_endpoint: authoriseAddress(addresses, bank),
    token_endpoint: `${issuer}/oauth/token`,
    ...(endsGrants(bank) ? { revocation_endpoint: `${issuer}/oauth/revoke` } : {}),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['tls_client_auth'],
    tls_client_certificate_bound_access_tokens: false,
    scopes_supported: bank.oauth === 'integrated' ? SERVICES.map((service) => `${service}:*`) : SERVICES,
  }
}
