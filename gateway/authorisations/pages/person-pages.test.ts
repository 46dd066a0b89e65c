/** Tests that the pages of a person at an identity provider speak of an agreement, not of a payment at a bank. */
import { expect, test } from 'vitest'
import { textsIn } from '../../page-texts/page-texts.ts'
import type { Page } from '../../platform/http/pages/page.ts'
import { PAGE_LANGUAGES } from '../../platform/http/pages/page-language.ts'
import type { ScaSession, ScaStep, ScaStepState } from '../sca-session.ts'
import { summaryText } from '../signature-summary.ts'
import { confirmPage, resultPage, reviewPage, unavailablePage, waitingPage } from './pages.ts'
import type { ScaPageView } from './sca-page-view.ts'

/** Banks, and in Danish the verb of payments. */
const OTHER_WORDS = { en: /bank/i, nb: /bank/i, sv: /bank/i, da: /bank|godkend/i, fi: /pank/i }
const SIGNED_AT = Temporal.Instant.from('2026-11-21T10:00:00Z')

const step = (state: ScaStepState): ScaStep => ({
  ...{ position: 0, targetType: 'person', targetId: '1', authorisationId: null, approach: null, returnHash: null },
  ...{ redirectSealed: null, textSealed: null, codeSealed: null, methodsSealed: null, returnSecretSealed: null },
  ...{ startedAt: null, overAt: null, renewals: 0, state, shown: [[summaryText('company', 'Åkeri AB')]] },
  shownSealed: null,
})
const session = (state: ScaStepState): ScaSession => ({
  ...{ partnerId: '1', id: '2', kind: 'onboarding', subjectId: '3', consentId: null, bic: null, linkHash: '' },
  ...{ identityProvider: 'eid', callbackUrl: 'https://partner.example/', linkSealed: null, browserHash: null },
  ...{ shownBy: 'page', preferred: null, trustedAt: null, confirmHash: null, status: 'waiting', outcome: null },
  ...{
    createdAt: SIGNED_AT,
    expiresAt: SIGNED_AT,
    stepSeconds: 300,
    endedAt: null,
    readAt: null,
    dueAt: null,
    version: 0,
    steps: [step(state)],
  },
})

function pagesOf(view: (state: ScaStepState) => ScaPageView): readonly Page[] {
  return [
    reviewPage(view('pending')),
    waitingPage(view('open')),
    confirmPage(view('open')),
    unavailablePage(view('open'), 'unavailable'),
    unavailablePage(view('open'), 'unusable-answer'),
    resultPage(view('signed'), 'success', ''),
    resultPage(view('rejected'), 'rejected', ''),
    resultPage(view('open'), 'cancelled', ''),
  ]
}

test.each(PAGE_LANGUAGES)('in %s no page of a person names a bank, or a payment’s verb', (language) => {
  const parties = { partner: 'Lønn AS', company: 'Åkeri AB', bank: 'eID' }
  const pages = pagesOf((state) => ({
    ...{ session: session(state), texts: textsIn(language), countryLanguages: undefined, parties },
    ...{ inApp: false, address: '', formOrigins: [] },
  }))
  for (const { title, body } of pages) {
    expect(`${title} ${body}`).not.toMatch(OTHER_WORDS[language])
  }
})
