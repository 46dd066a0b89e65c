/** How the control API says no. */

/** Thrown by control routes; becomes `{message}` with the status. */
export class ControlRefusal extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.name = 'ControlRefusal'
    this.status = status
  }
}
