/** The row types of the authorisation server's tables; their times are wall time. */
import type { OptionalTimestamp, Timestamp } from '../column-types.ts'

export type OauthTables = {
  oauth_requests: RequestTable
  oauth_grants: GrantTable
  oauth_tokens: TokenTable
}

export type RequestTable = {
  id: string
  bank: string
  /** Hash of the token in the link to the login page. */
  link_hash: string
  client_id: string
  redirect_uri: string
  state: string | null
  scope: string
  code_challenge: string
  /** The user that the third party expects. */
  login_hint: string | null
  /** The authorisation that the grant includes; null for a login only. */
  authorisation_id: string | null
  user_id: string | null
  outcome: 'granted' | 'denied' | null
  code_hash: string | null
  code_expires_at: OptionalTimestamp
  /** The grant that the code was exchanged for. */
  grant_id: string | null
  created_at: Timestamp
}

export type GrantTable = {
  id: string
  bank: string
  client_id: string
  user_id: string
  scope: string
  created_at: Timestamp
  ended_at: OptionalTimestamp
}

export type TokenTable = {
  token_hash: string
  grant_id: string
  kind: 'access' | 'refresh'
  expires_at: Timestamp
  /** When a refresh token was exchanged. */
  used_at: OptionalTimestamp
}
