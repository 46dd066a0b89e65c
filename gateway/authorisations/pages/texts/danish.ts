/** The Danish texts of the pages. */
import { html } from 'ghtml'
import type { ScaPageTexts } from './sca-page-texts.ts'

export const danish: ScaPageTexts = {
  language: 'da',
  numbers: { point: ',', group: '.' },
  labels: {
    amount: 'Beløb',
    receives: 'Modtageren får',
    rate: 'Valutakurs',
    'sign-before': 'Underskriv inden',
    to: 'Til',
    'to-account': 'Til konto',
    'through-account': 'Betales via konto',
    'from-account': 'Fra konto',
    date: 'Dato',
    message: 'Besked',
    reference: 'Betalings-id eller reference',
    company: 'Virksomhed',
    bank: 'Bank',
    access: 'Adgang til',
    until: 'Til og med',
    terms: 'Vilkår',
    fingerprint: 'Fingeraftryk af alt, hvad du underskriver (SHA-256)',
    payouts: 'Udbetalinger',
  },
  accessToAccounts: 'konti, saldi og transaktioner',
  total: (count) => (count === 1 ? '1 betaling' : `I alt ${count} betalinger`),
  title: ({ kind, count }) =>
    ({
      consent: 'Giv adgang til konti',
      approval: count === 1 ? 'Godkend en betaling' : `Godkend ${count} betalinger`,
      cancellation: 'Annuller en betaling',
      onboarding: 'Underskriv for en virksomhed',
    })[kind],
  review: {
    asksMarkup: ({ partner, company, bank }) =>
      html`<strong>${partner}</strong> beder dig godkende dette for <strong>${company}</strong>. Kontrollér, at alt er rigtigt, før du går videre til ${bank}.`,
    asksForAccessMarkup: ({ partner, company, bank }) =>
      html`<strong>${partner}</strong> beder om adgang til konti, der tilhører <strong>${company}</strong>. Kontrollér, at alt er rigtigt, før du går videre til ${bank}.`,
    asksToCancelMarkup: ({ partner, company, bank }) =>
      html`<strong>${partner}</strong> beder dig annullere denne betaling for <strong>${company}</strong>. Kontrollér, at det er den rigtige, før du går videre til ${bank}.`,
    together: 'Disse godkendes samlet, med én underskrift.',
    continueToBank: (bank) => `Fortsæt til ${bank}`,
    continueInApp: 'Fortsæt i din app',
    cancel: 'Annuller',
    keep: 'Behold betalingen',
    signedAtBank: 'Du godkender på bankens egne sider; intet godkendes her. Linket er kun til dig.',
    signedInApp: 'Du godkender i din egen app; intet godkendes her. Linket er kun til dig.',
  },
  person: {
    asksMarkup: ({ partner, company, bank }) =>
      html`<strong>${partner}</strong> beder dig underskrive for <strong>${company}</strong>, som skal være kunde gennem dem. Kontrollér, at alt er rigtigt, før du går videre til ${bank}.`,
    signedThere: (name) =>
      `Du underskriver med ${name} på deres egne sider; intet underskrives her. Linket er kun til dig.`,
    waiting: (name) => `Venter på ${name}`,
    unavailable: (name) => `${name} svarer ikke lige nu. Du kan prøve igen om et minut.`,
    confirm: {
      givenMarkup: ({ partner, company, bank }) =>
        html`Du har identificeret dig hos ${bank} for at underskrive for <strong>${company}</strong>, som skal være kunde gennem <strong>${partner}</strong>. Det blev begyndt i en anden browser end denne, så det er ikke underskrevet endnu. Dette ville du underskrive:`,
      onlyIf: (partner) =>
        `Svar kun ja, hvis du ved, hvad dette er, og vil underskrive det for virksomheden, som kunde gennem ${partner}. Har nogen sendt dig et link til at logge ind, så svar nej: så bliver intet underskrevet.`,
      yes: 'Ja, underskriv',
      no: 'Nej, underskriv ikke',
    },
  },
  payroll: {
    total: (count) => (count === 1 ? '1 lønkørsel' : `I alt ${count} lønkørsler`),
    title: 'Godkend løn',
    titleOfCancelling: 'Annuller lønkørsel',
    asksToCancelMarkup: ({ partner, company, bank }) =>
      html`<strong>${partner}</strong> beder dig annullere denne lønkørsel for <strong>${company}</strong>. Kontrollér, at det er den rigtige, før du går videre til ${bank}.`,
    keep: 'Behold lønkørslen',
  },
  loggedIn: {
    title: 'Et trin tilbage',
    text: (bank) => `Du er logget ind hos ${bank}. Nu giver du adgangen der.`,
  },
  next: {
    title: (done, total) => `${done} af ${total} godkendt`,
    oneAtATime: (bank) => `${bank} tager disse én ad gangen. Her er den næste.`,
    progress: (done, total) => `${done} af ${total}`,
    leaveRest: 'Lad resten ligge',
  },
  waiting: {
    title: 'Venter på din bank',
    notYet: (bank) => `${bank} har ikke bekræftet endnu. Siden ser selv efter igen; du behøver ikke gøre noget.`,
    counts: 'Har du godkendt, gælder din godkendelse, også selv om du forlader siden.',
    back: (partner) => `Gå tilbage til ${partner} uden at vente`,
  },
  app: {
    title: 'Godkend i din app',
    openApp: (bank) => `Åbn den app, du godkender med hos ${bank}, og følg den.`,
    scan: 'Åbn BankID-appen, vælg at scanne en QR-kode, og ret den mod denne.',
    codeAlternative: 'QR-kode til at scanne med BankID-appen',
    looksAgain: 'Siden ser selv efter igen og går videre, når du har godkendt.',
    bankSays: (bank) => `${bank} siger:`,
  },
  confirm: {
    title: 'Var det dig, der begyndte?',
    givenMarkup: ({ partner, company, bank }) =>
      html`Du har sagt ja hos ${bank} til at give <strong>${partner}</strong> adgang til konti, der tilhører <strong>${company}</strong>. Det blev begyndt i en anden browser end denne, så det gælder ikke endnu.`,
    onlyIf: (partner) =>
      `Svar kun ja, hvis du selv begyndte i ${partner}. Har nogen sendt dig et link, så svar nej: så får ingen adgang.`,
    yes: 'Ja, giv adgang',
    no: 'Nej, giv ikke adgang',
  },
  result: {
    title: { success: 'Godkendt', rejected: 'Ikke godkendt', cancelled: 'Ikke afsluttet' },
    cancellationSigned: 'Annulleringen er godkendt',
    signed: (done, total) => `${done} af ${total} godkendt.`,
    nothing: 'Intet blev godkendt.',
    back: (partner) => `Tilbage til ${partner}`,
  },
  used: {
    title: 'Linket er brugt eller udløbet',
    text: 'Et godkendelseslink virker én gang, i én browser, i nogle minutter. Gå tilbage til det program, der sendte dig hertil: det ved, hvordan det står til, og kan begynde forfra, hvis det er nødvendigt.',
  },
  unknown: {
    title: 'Linket kendes ikke',
    text: 'Måske blev det klippet over på vejen. Åbn det igen fra det program, du fik det af.',
  },
  broken: {
    title: 'Noget gik galt',
    text: 'Fejlen er vores, ikke din. Prøv igen om et minut, eller gå tilbage til det program, der sendte dig hertil.',
    quote: (requestId) => `Oplys ${requestId}, hvis du beder om hjælp.`,
  },
  unavailable: {
    title: (bank) => `${bank} svarer ikke`,
    text: 'Banken svarer ikke lige nu. Du kan prøve igen om et minut.',
    nothingSigned: 'Intet blev godkendt.',
    someSigned: 'Det, du allerede har godkendt, gælder; resten er ikke godkendt.',
    again: 'Prøv igen',
  },
}
