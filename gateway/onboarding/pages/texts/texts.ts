/** Defines the texts of the onboarding pages; each language provides all of them. */
import type { PageLanguage } from '../../../platform/http/pages/page-language.ts'
import type { RoleKind } from '../../../registries/registered-person.ts'
import type { AnswerErrorCode } from '../../answers/answer-validation.ts'
import type { OnboardingReason } from '../../onboarding.ts'
import type { SignerStatus } from '../../signatures/onboarding-signer.ts'

/** The parties; the company's name, or its number while the name is unknown. */
export type Parties = { readonly partner: string; readonly company: string }

/** The title and text of a message page. */
export type TitledText = { readonly title: string; readonly text: string }

/** The title and introduction of a form page. */
type Opened = { readonly title: string; readonly intro: string }

/** Plain texts, except those called `…Markup`, which are made with `html`. */
export type OnboardingTexts = {
  readonly language: PageLanguage
  readonly step: (step: number, steps: number) => string
  readonly goOn: string
  readonly back: string
  readonly later: string
  readonly stop: string
  readonly yes: string
  readonly no: string
  /** The title of the error summary. */
  readonly problems: string
  readonly faults: Readonly<Record<AnswerErrorCode, string>>
  /** Shown after a revision conflict. */
  readonly changedMeanwhile: string
  readonly start: {
    readonly title: (partner: string) => string
    readonly asksMarkup: (parties: Parties) => string
    readonly number: string
    readonly askedFor: string
    readonly asked: readonly string[]
    readonly takes: string
    readonly begin: string
    readonly goOn: string
  }
  readonly company: Opened & {
    readonly fromRegistry: string
    readonly notRegistered: string
    readonly name: string
    readonly street: string
    readonly postCode: string
    readonly city: string
    readonly country: string
    readonly email: string
    readonly emailHint: string
    readonly phone: string
    readonly phoneHint: string
  }
  readonly owners: Opened & {
    readonly question: string
    readonly some: string
    readonly nobody: string
    readonly nobodyHint: string
    readonly owner: (position: number) => string
    readonly name: string
    readonly birthDate: string
    readonly birthDateHint: string
    readonly nationality: string
    readonly livesIn: string
    readonly percent: string
    readonly percentHint: string
    readonly exposed: string
    readonly exposedHint: string
    readonly add: string
    readonly remove: (position: number) => string
    readonly choose: string
  }
  readonly signers: Opened & {
    readonly question: string
    readonly alone: string
    readonly together: string
    readonly notRegistered: string
    readonly signer: (position: number) => string
    readonly add: string
    readonly roles: Readonly<Record<RoleKind, string>>
  }
  readonly terms: Opened & {
    readonly clauses: (parties: Parties) => readonly string[]
    readonly accept: string
    readonly mustAccept: string
    readonly version: (version: string) => string
  }
  readonly summary: Opened & {
    readonly address: string
    readonly change: string
    readonly accepted: string
    readonly confirm: string
    readonly afterwards: string
    readonly percentOf: (percent: string) => string
    readonly isExposed: string
  }
  readonly signatures: Opened & {
    readonly status: Readonly<Record<SignerStatus, string>>
    readonly bornOn: (date: string) => string
    readonly signHere: (name: string) => string
    readonly makeLink: (name: string) => string
    readonly anotherLink: (name: string) => string
    readonly revoke: (name: string) => string
    readonly linkOut: string
    readonly revoked: string
    readonly link: (name: string) => string
    readonly linkOnce: string
    readonly others: string
    readonly askAgain: (name: string) => string
    readonly change: string
    readonly changeHint: string
    readonly lookAgain: string
  }
  readonly ownSignature: {
    readonly title: (company: string) => string
    readonly startMarkup: (company: string) => string
    readonly identifyFirst: string
    readonly identify: string
    readonly summary: string
    readonly asksMarkup: (parties: Parties) => string
    readonly sign: string
    readonly refuse: string
    readonly refuseTitle: string
    readonly refuseText: string
    readonly refuseYes: string
    readonly refuseNo: string
    readonly signed: TitledText
    readonly refused: TitledText
    readonly failed: string
    readonly otherPerson: string
  }
  readonly documents: Opened & {
    readonly file: string
    readonly fileHint: string
    readonly add: string
    readonly received: string
    readonly done: string
    readonly size: (kilobytes: string) => string
    readonly faults: Readonly<Record<DocumentFault, string>>
  }
  readonly stopping: TitledText & { readonly yes: string; readonly no: string }
  readonly left: { readonly title: string; readonly text: (until: string) => string }
  /** Started in another browser; the answers are shown only there. */
  readonly elsewhere: TitledText & { readonly done: (done: number, total: number) => string }
  readonly accepted: TitledText
  readonly looking: TitledText
  readonly rejected: { readonly title: string; readonly reasons: Readonly<Record<OnboardingReason, string>> }
  readonly cancelled: TitledText
  readonly expired: TitledText
  /** A form of another session. */
  readonly foreign: TitledText
  readonly unknown: TitledText
  readonly unavailable: TitledText
}

/** The errors of an upload. */
export type DocumentFault = 'missing' | 'too-large' | 'too-many' | 'wrong-kind'
