/** Opens a session for valid credentials. */
import type { OperationCall } from './operation-call.ts'
import { authFailed, ProviderApiError } from './provider-api-error.ts'

/** Public: they only give access to sandbox money. */
export const LOGIN = {
  loginId: 'havn-sandbox',
  apiKey: 'havn0000sandbox0000havn0000sandbox0000havn0000sandbox0000havn000',
} as const
const API_KEY_CHARACTERS = 64

export function logIn({ context, parameters }: OperationCall): object {
  const { login_id, api_key = '' } = parameters
  if (api_key.length !== API_KEY_CHARACTERS) {
    throw new ProviderApiError(400, 'auth_invalid_user_login_details', [
      {
        field: 'api_key',
        code: 'api_key_length_is_invalid',
        message: `api_key should be ${API_KEY_CHARACTERS} character(s) long`,
        params: { length: API_KEY_CHARACTERS },
      },
    ])
  }
  if (login_id !== LOGIN.loginId || api_key !== LOGIN.apiKey) {
    throw authFailed
  }
  return { auth_token: context.sessions.begin() }
}
