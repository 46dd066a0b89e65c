/** Defines the errors of the control API. */

/** Thrown by control routes; rendered as `{message}` with the status. */
export class ControlError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.name = 'ControlError'
    this.status = status
  }
}
