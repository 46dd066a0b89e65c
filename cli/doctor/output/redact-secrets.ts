/** Removes secrets of the settings from texts. */
import type { Environment } from '../../../gateway/platform/setting.ts'

const SECRET_NAME = /(KEY|SECRET|PASSWORD|TOKEN)$/
const SECRET_FIELD = /"(?:clientSecret|secret|password)"\s*:\s*"((?:[^"\\]|\\.)+)"/g
const PASSWORD_IN_URL = /:\/\/[^/\s:@]*:((?:(?!:\/\/)[^@\s])+)@/g
/** A shorter text is a word of many messages. */
const LENGTH_MIN = 4
const REDACTED = '[secret]'

export function secretsRedactor(environment: Environment): (text: string) => string {
  const secrets = Object.entries(environment).flatMap(([name, value = '']) => [
    ...(SECRET_NAME.test(name) ? [value.trim(), ...value.split('\n')] : []),
    ...[...value.matchAll(SECRET_FIELD)].map(([, secret = '']) => secret),
    ...[...value.matchAll(PASSWORD_IN_URL)].flatMap(([, secret = '']) => [secret, decoded(secret)]),
  ])
  const longestFirst = [...new Set(secrets)]
    .filter((secret) => secret.length >= LENGTH_MIN)
    .toSorted((one, other) => other.length - one.length)
  return (text) =>
    longestFirst
      .reduce((shown, secret) => shown.replaceAll(secret, REDACTED), text)
      .replaceAll(PASSWORD_IN_URL, (url, secret: string) => url.replace(`:${secret}@`, `:${REDACTED}@`))
}

function decoded(secret: string): string {
  try {
    return decodeURIComponent(secret)
  } catch {
    return secret
  }
}
