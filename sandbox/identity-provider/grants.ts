/** Keeps what was asked for until somebody decides, and what was granted until the code for it is exchanged. */
import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '../../gateway/platform/clock.ts'
import type { Eid } from './eids.ts'
import type { Somebody } from './test-persons.ts'

/** A sound request of a browser (OpenID Connect Core 1.0, 3.1.2.1). */
export type AuthorisationRequest = {
  readonly eid: Eid
  readonly redirectUri: string
  readonly state: string
  readonly nonce: string
  readonly challenge: string
  /** What is signed, as the client would have it shown; null where somebody only identifies. */
  readonly text: string | null
}

/** What somebody granted. */
export type Grant = AuthorisationRequest & { readonly person: Somebody; readonly expiresAt: Temporal.Instant }

export type Grants = {
  /** Keeps a request under a name that nobody can guess. */
  ask(request: AuthorisationRequest): string
  /** The request that still waits. */
  waiting(name: string): AuthorisationRequest | undefined
  /** Ends a request, and answers a code where it was granted. */
  grant(name: string, person: Somebody): string | undefined
  end(name: string): AuthorisationRequest | undefined
  /** What a code is worth: once, for a while, and to whoever holds the verifier. */
  redeem(
    code: string,
    asked: { readonly redirectUri: string; readonly verifier: string; readonly eid: Eid },
  ): Grant | undefined
}

const CODE_SECONDS = 60
/** Nobody leaves so many pages open; the oldest are forgotten. */
const KEPT_MAX = 10_000

/** Empty at first, and kept in memory only: a provider that is started again has forgotten everything. */
export function openGrants({ real }: Pick<Clock, 'real'>): Grants {
  const requests = new Map<string, AuthorisationRequest>()
  const grants = new Map<string, Grant>()
  const end = (name: string) => {
    const request = requests.get(name)
    requests.delete(name)
    return request
  }
  return {
    ask: (request) => keep(requests, request),
    waiting: (name) => requests.get(name),
    end,
    grant: (name, person) => {
      const request = end(name)
      return request && keep(grants, { ...request, person, expiresAt: real().add({ seconds: CODE_SECONDS }) })
    },
    redeem: (code, { redirectUri, verifier, eid }) => {
      const grant = grants.get(code)
      grants.delete(code)
      const isSound =
        grant !== undefined &&
        grant.eid === eid &&
        grant.redirectUri === redirectUri &&
        grant.challenge === createHash('sha256').update(verifier).digest('base64url') &&
        Temporal.Instant.compare(real(), grant.expiresAt) < 0
      return isSound ? grant : undefined
    },
  }
}

function keep<Value>(kept: Map<string, Value>, value: Value): string {
  for (const oldest of kept.keys()) {
    if (kept.size < KEPT_MAX) {
      break
    }
    kept.delete(oldest)
  }
  const name = randomBytes(24).toString('base64url')
  kept.set(name, value)
  return name
}
