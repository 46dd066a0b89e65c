/** Challenges of passkeys: each is bound to its browser and its purpose, used once, and expires. */
import type { Context } from '../../../gateway/context.ts'
import type { Form } from '../../../gateway/platform/http/pages/form.ts'
import { storePendingSignIn, usePendingSignIn } from '../pending-sign-in.ts'
import type { SignInTarget } from '../sign-in-page.ts'
import { START } from '../sign-in-target.ts'
import type { PasskeyOptions } from './verify-passkey.ts'

/** An answer to a challenge of one purpose is none to that of another. An invitation is named by the digest of its token. */
export type ChallengePurpose = 'sign-in' | 'add' | `invitation ${string}`

export async function storeChallenge(
  context: Context,
  { challenge }: PasskeyOptions,
  {
    token,
    purpose,
    target = START,
  }: {
    readonly token: string
    readonly purpose: ChallengePurpose
    readonly target?: SignInTarget
  },
): Promise<void> {
  await storePendingSignIn<ChallengePurpose>(context, { state: challenge, token }, { secret: purpose, target })
}

/** Uses the challenge of a form up; undefined for one that is foreign, old, or has another purpose. */
export async function useChallenge(
  context: Context,
  form: Form,
  { token, purpose }: { readonly token: string; readonly purpose: ChallengePurpose },
): Promise<{ readonly challenge: string; readonly answer: string; readonly target: SignInTarget } | undefined> {
  const [challenge, answer] = [form.text('challenge'), form.text('answer')]
  const pending = await usePendingSignIn<ChallengePurpose>(context, { state: challenge, token })
  return pending?.secret === purpose ? { challenge, answer, target: pending.target } : undefined
}
