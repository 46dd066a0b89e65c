/** Defines who operates Havn: the subject is compared, the name is shown. */

export type Operator = {
  /** The stable id of the user at whatever authenticated them; null where nothing did, which decides nothing that takes two. */
  readonly subject: string | null
  readonly name: string
  /** Both, in the format of the audit log. */
  readonly actor: string
}
