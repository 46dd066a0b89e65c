/** Creates ID tokens (OpenID Connect Core 1.0, 2), valid ones and those of a fault. */
import { createHash, createHmac } from 'node:crypto'
import type { Grant } from './grants.ts'
import type { ProviderState } from './provider-state.ts'
import { type SigningKey, signText } from './signing-keys.ts'

const LIVES_SECONDS = 300
/** Beyond any clock skew tolerance. */
const LONG_AGO_SECONDS = 3600

/** The ID token of a grant, when its code is exchanged. */
export function writeIdToken(state: ProviderState, grant: Grant): string {
  const { keys, faults, client } = state
  const { algorithm } = grant.eid
  const claims = claimsOf(state, grant)
  if (faults.strikes('unsigned') !== undefined) {
    return `${encoded({ alg: 'none', typ: 'JWT' })}.${encoded(claims)}.`
  }
  if (faults.strikes('signed-with-secret') !== undefined) {
    const text = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded(claims)}`
    return `${text}.${createHmac('sha256', client.secret).update(text).digest('base64url')}`
  }
  const key = faults.strikes('strange-key') === undefined ? keys.current(algorithm) : keys.stranger(algorithm)
  const token = signed(claims, key)
  return faults.strikes('altered-token') === undefined ? token : withOtherName(token, claims)
}

function claimsOf(state: ProviderState, { eid, person, nonce }: Grant): Record<string, unknown> {
  const { clock, faults, client, url } = state
  const now = Math.floor(clock.real().epochMilliseconds / 1000)
  const issuedAt = now - (faults.strikes('old-token') === undefined ? 0 : LONG_AGO_SECONDS)
  const isExpired = faults.strikes('expired-token') !== undefined
  const isBirthDateReported = faults.strikes('without-birth-date') === undefined
  return {
    iss: faults.strikes('wrong-issuer') === undefined ? `${url}/${eid.path}` : `${url}/nobody`,
    sub: createHash('sha256').update(`${eid.path} ${person.id}`).digest('base64url'),
    aud: faults.strikes('wrong-audience') === undefined ? client.id : 'somebody-else',
    iat: issuedAt,
    exp: isExpired ? now - LONG_AGO_SECONDS : now + LIVES_SECONDS,
    auth_time: now - (faults.strikes('earlier-login') === undefined ? 0 : LONG_AGO_SECONDS),
    nonce: faults.strikes('wrong-nonce') === undefined ? nonce : `other-${nonce}`,
    acr: eid.acr,
    name: `${person.name.given} ${person.name.family}`.trim(),
    ...(person.name.given === '' ? {} : { given_name: person.name.given }),
    family_name: person.name.family,
    // A year of zeros is left out (OpenID Connect Core 1.0, 5.1).
    birthdate: isBirthDateReported ? person.birthDate : person.birthDate.replace(/^\d{4}/, '0000'),
    country: eid.countryCode,
    ...(person.nationalId === null ? {} : { nin: person.nationalId }),
    ...(eid.hasGroups === true ? { groups: person.groups ?? [] } : {}),
  }
}

function signed(claims: object, key: SigningKey): string {
  const text = `${encoded({ alg: key.algorithm, kid: key.kid, typ: 'JWT' })}.${encoded(claims)}`
  return `${text}.${signText(text, key)}`
}

/** Tampers with the claims after signing. */
function withOtherName(token: string, claims: object): string {
  const [header = '', , signature = ''] = token.split('.')
  return `${header}.${encoded({ ...claims, given_name: 'Somebody', family_name: 'Else' })}.${signature}`
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
