/** Lends one Havn to several parts of the bench, as its short form does, whose figures mean nothing. */
import { acceptedConsent } from '../../gateway/testing/payments/sample-payments.ts'
import { type RunningHavn, startHavn } from './running-havn.ts'

/** Opens the Havn that a part is measured on, with other settings than usual, if wanted. */
export type OpenHavn = (settings?: Readonly<Record<string, string>>) => Promise<RunningHavn>

/** A Havn for all who open it, with the settings of the first; `close` ends it. */
export function shareHavn(folder: string): { readonly open: OpenHavn; close(): Promise<void> } {
  let shared: { readonly havn: RunningHavn; readonly settings: Readonly<Record<string, string>> } | undefined
  const open: OpenHavn = async (settings = {}) => {
    shared ??= { havn: await startHavn(folder, settings), settings }
    const { havn, settings: its } = shared
    const missing = Object.keys(settings).filter((name) => settings[name] !== its[name])
    if (missing.length > 0) {
      throw new Error(`The shared Havn was started without ${missing.join(', ')}: its part must come first`)
    }
    // A part may have asked the same user for another consent, which replaces the one before.
    const { consentId } = await acceptedConsent(havn)
    return { ...havn, consentId, close: async () => undefined }
  }
  return { open, close: async () => await shared?.havn.close() }
}
