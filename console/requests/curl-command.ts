/** Writes a logged request as a `curl` command, with variables in place of what is not stored. */
import { DETAILED_ERRORS } from '../../contract/errors/error-bodies.ts'
import type { Config } from '../../gateway/config/config.ts'
import { REDACTED } from '../../gateway/platform/observability/log.ts'
import { parseJson } from '../../gateway/platform/parse-json.ts'
import type { LoggedRequest } from '../../gateway/request-log/logged-request.ts'

type Sent = Pick<LoggedRequest, 'method' | 'path' | 'headers' | 'idempotencyKey' | 'requestBody'>
type Urls = Pick<Config, 'baseUrl' | 'authUrl' | 'onboardingUrl'>

const FORM = 'application/x-www-form-urlencoded'
const TOKEN_PATH = /^\/v2\/connect\//
const ONBOARDING_PATH = /^\/onboarding\b/
/** curl sends its own. */
const LEFT_OUT = ['user-agent']

export function curlCommand(request: Sent, urls: Urls): string {
  const { method, path, headers, idempotencyKey, requestBody } = request
  const isToken = TOKEN_PATH.test(path)
  const base = isToken ? urls.authUrl : ONBOARDING_PATH.test(path) ? urls.onboardingUrl : urls.baseUrl
  const sent = Object.entries(headers).filter(([name]) => !LEFT_OUT.includes(name))
  return [
    `curl --request ${method} ${quoted(`${base}${path}`)}`,
    ...(isToken ? [] : ['--header "authorization: Bearer $TOKEN"']),
    `--header ${quoted(`prefer: ${DETAILED_ERRORS}`)}`,
    ...sent.map(([name, value]) =>
      value === REDACTED ? `--header "${name}: $${variableOf(name)}"` : `--header ${quoted(`${name}: ${value}`)}`,
    ),
    // With the same key a repetition returns the first response and orders nothing again.
    ...(idempotencyKey === null ? [] : [`--header ${quoted(`idempotency-key: ${idempotencyKey}`)}`]),
    ...bodyOptions(requestBody, headers['content-type'] ?? ''),
  ].join(' \\\n  ')
}

function bodyOptions(body: string | null, contentType: string): readonly string[] {
  if (body === null) {
    return []
  }
  if (!contentType.startsWith(FORM)) {
    return [`--data ${quoted(body)}`]
  }
  const fields: unknown = parseJson(body)
  return Object.entries(Object(fields)).map(([name, value]) =>
    value === REDACTED
      ? `--data-urlencode "${name.replaceAll(/\W/g, '')}=$${variableOf(name)}"`
      : `--data-urlencode ${quoted(`${name}=${value}`)}`,
  )
}

/** `CLIENT_SECRET` for `client_secret`. */
function variableOf(name: string): string {
  return name.replaceAll(/\W/g, '_').toUpperCase()
}

/** Within single quotes a POSIX shell interprets nothing. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
