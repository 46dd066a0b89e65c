/** Recognises the loopback addresses, the only ones to which plain http is safe. */

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** Whether a host as `URL` normalises it is this machine. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname)
}
