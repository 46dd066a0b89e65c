/** What an authorisation needs of the payment, consent or basket that it is for: the modules of these provide it. */
import type { User } from '../fixture.ts'
import type { NotificationTarget } from '../push-notifications.ts'
import type { OriginColumns, Xs2aCall } from '../xs2a/xs2a-call.ts'
import type { ScaSubject } from './authorisation.ts'

/** The columns that all of them have. */
export type ScaResource = Readonly<Omit<OriginColumns, 'corporate_id'>> & { readonly id: string }

/** The target, locked until the transaction ends. */
export type ScaTarget = {
  readonly resource: ScaResource & { readonly status: string }
  /** Below `/v1`. */
  readonly path: string
  /** Whether it still awaits this authorisation. */
  readonly isOpen: boolean
  /** The users who have authorised all of it, where it needs further authorisations; none where one is enough. */
  readonly signedBy: ReadonlySet<string | null>
  /** Rejects a start that the third party requests, for a reason of its own, if it has any. */
  requireStartable?(call: Xs2aCall): Promise<void>
  /** Why the user has no right to authorise it; null otherwise. */
  rejectionReason(user: User): string | null
  storeNotificationTarget(target: NotificationTarget): Promise<unknown>
  approve(signed: { readonly signerId: string; readonly at: Temporal.Instant }): Promise<void>
  /** Absent where a rejected authorisation changes nothing. */
  reject?(): Promise<void>
  /** Signs what is still open in the netbank; absent where that is impossible. */
  signInNetbank?(userId: string | undefined): Promise<void>
}

/** Locks a target; undefined when it was deleted. */
export type LockScaTarget<Context> = (context: Context, id: string) => Promise<ScaTarget | undefined>

/** By what is authorised. */
export type ScaTargets<Context> = Readonly<Record<ScaSubject, LockScaTarget<Context>>>
