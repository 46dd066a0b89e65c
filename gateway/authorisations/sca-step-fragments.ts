/** SCA steps as parts of statements of other modules: those of an approval that were signed, and the version of a payment's. */
import { sql } from 'kysely'

/** The targets `t` that the user of the approval `a` has signed, in parentheses. */
export const SIGNED_TARGETS = sql`(
  select s.partner_id, s.subject_id as approval_id, t.target_id from sca_sessions s
    join sca_steps t on t.partner_id = s.partner_id and t.sca_session_id = s.id and t.state in ('signed', 'signed-late')
  where s.kind = 'approval') t`

/** The version of the steps that sign the payment `p`. */
export const SCA_STEPS_VERSION = sql`(
  select string_agg(t.state || coalesce(t.sca_status, ''), ' ' order by t.sca_session_id, t.position)
  from sca_steps t where t.partner_id = p.partner_id and t.target_id = p.id)`
