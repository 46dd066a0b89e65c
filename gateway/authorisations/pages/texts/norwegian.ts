/** The Norwegian (bokmål) texts of the pages. */
import { html } from 'ghtml'
import type { ScaPageTexts } from './sca-page-texts.ts'

export const norwegian: ScaPageTexts = {
  language: 'nb',
  numbers: { point: ',', group: '\u00a0' },
  labels: {
    amount: 'Beløp',
    receives: 'Mottakeren får',
    rate: 'Valutakurs',
    'sign-before': 'Signer før',
    to: 'Til',
    'to-account': 'Til konto',
    'through-account': 'Betales via konto',
    'from-account': 'Fra konto',
    date: 'Dato',
    message: 'Melding',
    reference: 'KID eller referanse',
    company: 'Foretak',
    bank: 'Bank',
    access: 'Tilgang til',
    until: 'Til og med',
    terms: 'Vilkår',
    fingerprint: 'Fingeravtrykk av alt du signerer (SHA-256)',
    payouts: 'Utbetalinger',
  },
  accessToAccounts: 'kontoer, saldo og transaksjoner',
  total: (count) => (count === 1 ? '1 betaling' : `Sum av ${count} betalinger`),
  title: ({ kind, count }) =>
    ({
      consent: 'Gi tilgang til kontoer',
      approval: count === 1 ? 'Signer en betaling' : `Signer ${count} betalinger`,
      cancellation: 'Avbestill en betaling',
      onboarding: 'Signer for et selskap',
    })[kind],
  review: {
    asksMarkup: ({ partner, company, bank }) =>
      html`<strong>${partner}</strong> ber deg signere dette for <strong>${company}</strong>. Kontroller at alt stemmer før du går videre til ${bank}.`,
    asksForAccessMarkup: ({ partner, company, bank }) =>
      html`<strong>${partner}</strong> ber om tilgang til kontoene til <strong>${company}</strong>. Kontroller at alt stemmer før du går videre til ${bank}.`,
    asksToCancelMarkup: ({ partner, company, bank }) =>
      html`<strong>${partner}</strong> ber deg avbestille denne betalingen for <strong>${company}</strong>. Kontroller at det er den riktige før du går videre til ${bank}.`,
    together: 'Disse signeres samlet, med én signatur.',
    continueToBank: (bank) => `Fortsett til ${bank}`,
    continueInApp: 'Fortsett i appen din',
    cancel: 'Avbryt',
    keep: 'Behold betalingen',
    signedAtBank: 'Du signerer på bankens egne sider; ingenting signeres her. Lenken er bare til deg.',
    signedInApp: 'Du signerer i din egen app; ingenting signeres her. Lenken er bare til deg.',
  },
  person: {
    asksMarkup: ({ partner, company, bank }) =>
      html`<strong>${partner}</strong> ber deg signere for <strong>${company}</strong>, som skal bli kunde gjennom dem. Kontroller at alt stemmer før du går videre til ${bank}.`,
    signedThere: (name) =>
      `Du signerer med ${name}, på deres egne sider; ingenting signeres her. Lenken er bare til deg.`,
    waiting: (name) => `Venter på ${name}`,
    unavailable: (name) => `${name} svarer ikke akkurat nå. Du kan prøve igjen om et minutt.`,
    confirm: {
      givenMarkup: ({ partner, company, bank }) =>
        html`Du har legitimert deg hos ${bank} for å signere for <strong>${company}</strong>, som skal bli kunde gjennom <strong>${partner}</strong>. Det ble startet i en annen nettleser enn denne, så det er ikke signert ennå. Dette ville du signere:`,
      onlyIf: (partner) =>
        `Svar ja bare hvis du vet hva dette er og vil signere det for selskapet, som kunde gjennom ${partner}. Har noen sendt deg en lenke til innlogging, svar nei: da blir ingenting signert.`,
      yes: 'Ja, signer',
      no: 'Nei, ikke signer',
    },
  },
  payroll: {
    total: (count) => (count === 1 ? '1 lønnskjøring' : `Sum av ${count} lønnskjøringer`),
    title: 'Signer lønn',
    titleOfCancelling: 'Avbestill lønn',
    asksToCancelMarkup: ({ partner, company, bank }) =>
      html`<strong>${partner}</strong> ber deg avbestille denne lønnskjøringen for <strong>${company}</strong>. Kontroller at det er den riktige før du går videre til ${bank}.`,
    keep: 'Behold lønnskjøringen',
  },
  loggedIn: {
    title: 'Ett steg igjen',
    text: (bank) => `Du har logget inn hos ${bank}. Nå gir du tilgangen der.`,
  },
  next: {
    title: (done, total) => `${done} av ${total} signert`,
    oneAtATime: (bank) => `${bank} tar disse én om gangen. Dette er den neste.`,
    progress: (done, total) => `${done} av ${total}`,
    leaveRest: 'La resten ligge',
  },
  waiting: {
    title: 'Venter på banken din',
    notYet: (bank) =>
      `${bank} har ikke bekreftet ennå. Siden ser etter på nytt av seg selv; du trenger ikke gjøre noe.`,
    counts: 'Har du signert, gjelder signaturen selv om du forlater denne siden.',
    back: (partner) => `Gå tilbake til ${partner} uten å vente`,
  },
  app: {
    title: 'Signer i appen din',
    openApp: (bank) => `Åpne appen du signerer med hos ${bank}, og følg den.`,
    scan: 'Åpne BankID-appen, velg å skanne en QR-kode, og pek på denne.',
    codeAlternative: 'QR-kode som skannes med BankID-appen',
    looksAgain: 'Siden ser etter på nytt av seg selv, og går videre når du har signert.',
    bankSays: (bank) => `${bank} sier:`,
  },
  confirm: {
    title: 'Var det du som startet dette?',
    givenMarkup: ({ partner, company, bank }) =>
      html`Du har sagt ja hos ${bank} til å gi <strong>${partner}</strong> tilgang til kontoene til <strong>${company}</strong>. Det ble startet i en annen nettleser enn denne, så det gjelder ikke ennå.`,
    onlyIf: (partner) =>
      `Svar ja bare hvis du selv startet dette i ${partner}. Har noen sendt deg en lenke, svar nei: da får ingen tilgang.`,
    yes: 'Ja, gi tilgang',
    no: 'Nei, ikke gi tilgang',
  },
  result: {
    title: { success: 'Signert', rejected: 'Ikke signert', cancelled: 'Ikke fullført' },
    cancellationSigned: 'Avbestillingen er signert',
    signed: (done, total) => `${done} av ${total} signert.`,
    nothing: 'Ingenting ble signert.',
    back: (partner) => `Tilbake til ${partner}`,
  },
  used: {
    title: 'Denne lenken er brukt eller utløpt',
    text: 'En signeringslenke virker én gang, i én nettleser, i noen minutter. Gå tilbake til programmet som sendte deg hit: det vet hvordan det står til, og kan starte på nytt om det trengs.',
  },
  unknown: {
    title: 'Denne lenken er ukjent',
    text: 'Kanskje ble den kuttet på veien. Åpne den på nytt fra programmet du fikk den i.',
  },
  broken: {
    title: 'Noe gikk galt',
    text: 'Feilen er vår, ikke din. Prøv igjen om et minutt, eller gå tilbake til programmet som sendte deg hit.',
    quote: (requestId) => `Oppgi ${requestId} hvis du ber om hjelp.`,
  },
  unavailable: {
    title: (bank) => `${bank} svarer ikke`,
    text: 'Banken svarer ikke akkurat nå. Du kan prøve igjen om et minutt.',
    nothingSigned: 'Ingenting ble signert.',
    someSigned: 'Det du allerede har signert, gjelder; resten er ikke signert.',
    again: 'Prøv igjen',
  },
}
