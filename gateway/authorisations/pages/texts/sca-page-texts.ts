/** The texts of the pages of an SCA session, for every language. */
import type { PageLanguage } from '../../../platform/http/pages/page-language.ts'
import type { ScaOutcome, ScaSubjectType } from '../../sca-session.ts'
import type { SummaryLabel } from '../../signature-summary.ts'

/** What is signed, for page titles. */
export type TitleSubject = { readonly kind: ScaSubjectType; readonly count: number }

/** The parties that a page names. */
export type Parties = { readonly partner: string; readonly company: string; readonly bank: string }

/** Plain texts, except those called `…Markup`, which are made with `html`. */
export type ScaPageTexts = {
  readonly language: PageLanguage
  /** Number format: `1 250,00`. */
  readonly numbers: { readonly point: '.' | ','; readonly group: string }
  readonly labels: Readonly<Record<SummaryLabel, string>>
  /** What a consent gives access to. */
  readonly accessToAccounts: string
  readonly total: (count: number) => string
  readonly title: (subject: TitleSubject) => string
  readonly review: {
    readonly asksMarkup: (parties: Parties) => string
    readonly asksForAccessMarkup: (parties: Parties) => string
    readonly asksToCancelMarkup: (parties: Parties) => string
    readonly together: string
    readonly continueToBank: (bank: string) => string
    readonly continueInApp: string
    readonly cancel: string
    /** The button that cancels nothing, where `cancel` would be read as the cancellation itself. */
    readonly keep: string
    readonly signedAtBank: string
    readonly signedInApp: string
  }
  /** Texts that differ where a person signs at an identity provider. */
  readonly person: {
    /** `bank` is the identity provider. */
    readonly asksMarkup: (parties: Parties) => string
    readonly signedThere: (provider: string) => string
    readonly waiting: (provider: string) => string
    readonly unavailable: (provider: string) => string
    /** For a browser that did not show the summary before it was signed. */
    readonly confirm: Omit<ScaPageTexts['confirm'], 'title'>
  }
  /** Texts that differ for payrolls. */
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
    /** Introduces the bank's own text, whatever its language. */
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
    readonly title: Readonly<Record<ScaOutcome, string>>
    /** Separate, because the generic title would suggest that the payment was signed. */
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
