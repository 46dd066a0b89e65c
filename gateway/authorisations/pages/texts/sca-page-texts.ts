/** What the pages of a signing say, whatever the language; each language writes all of it. */
import type { PageLanguage } from '../../../platform/http/pages/page-language.ts'
import type { SigningKindName, SigningOutcome } from '../../../signing/signing.ts'
import type { ShownLabel } from '../../signature-summary.ts'

/** What is signed, as titles tell. */
export type Subject = { readonly kind: SigningKindName; readonly count: number }

/** Who takes part. */
export type Parties = { readonly partner: string; readonly company: string; readonly bank: string }

/** Plain texts, except those called `…Markup`, which are made with `html`. */
export type SigningTexts = {
  readonly language: PageLanguage
  /** How numbers are written: `1 250,00`. */
  readonly numbers: { readonly point: '.' | ','; readonly group: string }
  readonly labels: Readonly<Record<ShownLabel, string>>
  /** What a consent gives access to. */
  readonly accessToAccounts: string
  readonly total: (count: number) => string
  readonly title: (subject: Subject) => string
  readonly review: {
    readonly asksMarkup: (parties: Parties) => string
    readonly asksForAccessMarkup: (parties: Parties) => string
    readonly asksToCancelMarkup: (parties: Parties) => string
    readonly together: string
    readonly continueToBank: (bank: string) => string
    readonly continueInApp: string
    readonly cancel: string
    /** To cancel nothing, where `cancel` would be taken for the cancellation itself. */
    readonly keep: string
    readonly signedAtBank: string
    readonly signedInApp: string
  }
  /** What is said otherwise where a person signs at an identity provider. */
  readonly person: {
    /** The provider stands where the bank does. */
    readonly asksMarkup: (parties: Parties) => string
    readonly signedThere: (provider: string) => string
    readonly waiting: (provider: string) => string
    readonly unavailable: (provider: string) => string
    /** For a browser that did not see what was signed before it was. */
    readonly confirm: Omit<SigningTexts['confirm'], 'title'>
  }
  /** What is said otherwise of payrolls. */
  readonly payroll: {
    readonly total: (count: number) => string
    readonly title: string
    readonly titleOfCancelling: string
    readonly asksToCancelMarkup: (parties: Parties) => string
    readonly keep: string
  }
  readonly loggedIn: { readonly title: string; readonly text: (bank: string) => string }
  readonly next: {
    readonly title: (done: number, total: number) => string
    readonly oneAtATime: (bank: string) => string
    readonly progress: (done: number, total: number) => string
    readonly leaveRest: string
  }
  readonly waiting: {
    readonly title: string
    readonly notYet: (bank: string) => string
    readonly counts: string
    readonly back: (partner: string) => string
  }
  readonly app: {
    readonly title: string
    readonly openApp: (bank: string) => string
    readonly scan: string
    readonly codeAlternative: string
    readonly looksAgain: string
    /** Before the bank’s own words, whatever language they are in. */
    readonly bankSays: (bank: string) => string
  }
  readonly confirm: {
    readonly title: string
    readonly givenMarkup: (parties: Parties) => string
    readonly onlyIf: (partner: string) => string
    readonly yes: string
    readonly no: string
  }
  readonly result: {
    readonly title: Readonly<Record<SigningOutcome, string>>
    /** Else its user might think that the payment was. */
    readonly cancellationSigned: string
    readonly signed: (done: number, total: number) => string
    readonly nothing: string
    readonly back: (partner: string) => string
  }
  readonly used: { readonly title: string; readonly text: string }
  readonly unknown: { readonly title: string; readonly text: string }
  readonly broken: { readonly title: string; readonly text: string; readonly quote: (requestId: string) => string }
  readonly unavailable: {
    readonly title: (bank: string) => string
    readonly text: string
    readonly nothingSigned: string
    readonly someSigned: string
    readonly again: string
  }
}
