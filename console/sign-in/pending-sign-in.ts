/** Sign-ins that wait for their browser to come back: each is bound to its browser, used once, and expires. */
import type { Context } from '../../gateway/context.ts'
import { hashToken } from '../../gateway/platform/ids.ts'
import {
  deletePendingSignInsBefore,
  insertPendingSignIn,
  type PendingSignInKey,
  takePendingSignIn,
} from './pending-sign-in-store.ts'
import type { SignInTarget } from './sign-in-page.ts'

/** What came back with the browser, and its cookie. */
export type BrowserCallback = { readonly state: string; readonly token: string }

/** Long enough to enter a password and a code; forms of ended sessions are stored no longer. */
const EXPIRES_AFTER_MINUTES = 15

type PendingSignIn<Secret> = { readonly secret: Secret; readonly target: SignInTarget }
/** The purpose of a sealed content. */
export function pendingSignInPurpose(stateHash: string): string {
  return `console sign-in ${stateHash}`
}

/** Stores what the answer is verified against, and where the browser goes afterwards. */
export async function storePendingSignIn<Secret>(
  { database, clock, seal }: Context,
  callback: BrowserCallback,
  { secret, target: { next, interrupted } }: PendingSignIn<Secret>,
): Promise<void> {
  const key = keyOf(callback)
  const createdAt = clock.real()
  const form = interrupted && { path: interrupted.path, fields: interrupted.fields.toString() }
  const content = JSON.stringify({ secret, next, form })
  const contentSealed = seal.seal(content, pendingSignInPurpose(key.stateHash))
  await deletePendingSignInsBefore(database, createdAt.subtract({ minutes: EXPIRES_AFTER_MINUTES }))
  await insertPendingSignIn(database, { ...key, contentSealed, createdAt })
}

/** Undefined for a callback of another browser, for one that was used before, and for one that took too long. */
export async function usePendingSignIn<Secret>(
  { database, clock, seal }: Context,
  callback: BrowserCallback,
): Promise<PendingSignIn<Secret> | undefined> {
  const key = keyOf(callback)
  const createdAfter = clock.real().subtract({ minutes: EXPIRES_AFTER_MINUTES })
  const sealed = await takePendingSignIn(database, key, createdAfter)
  if (sealed === undefined) {
    return undefined
  }
  // The sealed JSON was written above: no schema check is needed.
  const { secret, next, form } = JSON.parse(seal.open(sealed, pendingSignInPurpose(key.stateHash)))
  const interrupted = form && { path: form.path, fields: new URLSearchParams(form.fields) }
  return { secret, target: { next, interrupted } }
}

function keyOf({ state, token }: BrowserCallback): PendingSignInKey {
  return { stateHash: hashToken(state), tokenHash: hashToken(token) }
}
