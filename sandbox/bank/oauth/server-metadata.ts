/** Renders a bank's authorisation server metadata (RFC 8414). */
import type { Addresses } from '../context.ts'
import type { BankProfile } from '../fixture.ts'
import { bankUrl } from '../xs2a/xs2a-links.ts'
import { SERVICES } from './scope.ts'

export function authorisationEndpointUrl({ pagesUrl }: Addresses, { basePath }: BankProfile): string {
  return `${pagesUrl}/oauth/${basePath}/authorize`
}

/** Whether third parties can revoke grants (RFC 7009): few banks offer it. */
export function supportsRevocation({ oauth }: BankProfile): boolean {
  return oauth === 'pre-step'
}

export function metadataOf(addresses: Addresses, bank: BankProfile): object {
  const issuer = bankUrl(addresses, bank)
  return {
    issuer,
    authorization_endpoint: authorisationEndpointUrl(addresses, bank),
    token_endpoint: `${issuer}/oauth/token`,
    ...(supportsRevocation(bank) ? { revocation_endpoint: `${issuer}/oauth/revoke` } : {}),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['tls_client_auth'],
    tls_client_certificate_bound_access_tokens: false,
    scopes_supported: bank.oauth === 'integrated' ? SERVICES.map((service) => `${service}:*`) : SERVICES,
  }
}
