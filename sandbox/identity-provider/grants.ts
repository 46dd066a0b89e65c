/** Stores authorisation requests until they are decided, and grants until their code is exchanged. */
import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '../../gateway/platform/clock.ts'
import type { Eid } from './eids.ts'
import type { TestPerson } from './test-persons.ts'

/** A validated authorisation request (OpenID Connect Core 1.0, 3.1.2.1). */
export type AuthorisationRequest = {
  readonly eid: Eid
  readonly redirectUri: string
  readonly state: string
  readonly nonce: string
  readonly challenge: string
  /** The text to sign, as the client supplies it; null for an identification. */
  readonly text: string | null
}

export type Grant = AuthorisationRequest & { readonly person: TestPerson; readonly expiresAt: Temporal.Instant }

/** The user's decision, and the redirect of the browser; null for none. */
export type Answer = { readonly decision: string; readonly redirect: string | null }

export type Grants = {
  /** Stores a request under an unguessable name. */
  ask(request: AuthorisationRequest): string
  /** The request that is still open. */
  waiting(name: string): AuthorisationRequest | undefined
  /** Closes a request with what has become of it. */
  end(name: string, answer: Answer): void
  /** What has become of a request that was closed. */
  answerTo(name: string): Answer | undefined
  /** Returns a code. */
  grant(request: AuthorisationRequest, person: TestPerson): string
  /** Redeems a code: once, before it expires, with the code verifier. */
  redeem(
    code: string,
    requested: { readonly redirectUri: string; readonly verifier: string; readonly eid: Eid },
  ): Grant | undefined
}

const CODE_SECONDS = 60
/** Above this number the oldest are deleted. */
const GRANTS_MAX = 10_000

/** In memory only: a restart deletes everything. */
export function openGrants({ real }: Pick<Clock, 'real'>): Grants {
  const requests = new Map<string, AuthorisationRequest>()
  const grants = new Map<string, Grant>()
  const answers = new Map<string, Answer>()
  return {
    ask: (request) => keep(requests, request),
    waiting: (name) => requests.get(name),
    end: (name, answer) => {
      requests.delete(name)
      keep(answers, answer, name)
    },
    answerTo: (name) => answers.get(name),
    grant: (request, person) => keep(grants, { ...request, person, expiresAt: real().add({ seconds: CODE_SECONDS }) }),
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

function keep<Value>(
  stored: Map<string, Value>,
  value: Value,
  name: string = randomBytes(24).toString('base64url'),
): string {
  for (const oldest of stored.keys()) {
    if (stored.size < GRANTS_MAX) {
      break
    }
    stored.delete(oldest)
  }
  stored.set(name, value)
  return name
}
