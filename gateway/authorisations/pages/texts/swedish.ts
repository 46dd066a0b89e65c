/** The Swedish texts of the pages. */
import { html } from 'ghtml'
import type { ScaPageTexts } from './sca-page-texts.ts'

export const swedish: ScaPageTexts = {
  language: 'sv',
  numbers: { point: ',', group: '\u00a0' },
  labels: {
    amount: 'Belopp',
    receives: 'Mottagaren får',
    rate: 'Växelkurs',
    'sign-before': 'Signera före',
    to: 'Till',
    'to-account': 'Till konto',
    'through-account': 'Betalas via konto',
    'from-account': 'Från konto',
    date: 'Datum',
    message: 'Meddelande',
    reference: 'OCR eller referens',
    company: 'Företag',
    bank: 'Bank',
    access: 'Åtkomst till',
    until: 'Till och med',
    terms: 'Villkor',
    fingerprint: 'Fingeravtryck av allt du signerar (SHA-256)',
    payouts: 'Utbetalningar',
  },
  accessToAccounts: 'konton, saldon och transaktioner',
  total: (count) => (count === 1 ? '1 betalning' : `Summa av ${count} betalningar`),
  title: ({ kind, count }) =>
    ({
      consent: 'Ge åtkomst till konton',
      approval: count === 1 ? 'Signera en betalning' : `Signera ${count} betalningar`,
      cancellation: 'Avbryt en betalning',
      onboarding: 'Signera för ett företag',
    })[kind],
  review: {
    asksMarkup: ({ partner, company, bank }) =>
      html`<strong>${partner}</strong> ber dig signera detta för <strong>${company}</strong>. Kontrollera att allt stämmer innan du går vidare till ${bank}.`,
    asksForAccessMarkup: ({ partner, company, bank }) =>
      html`<strong>${partner}</strong> ber om åtkomst till konton som tillhör <strong>${company}</strong>. Kontrollera att allt stämmer innan du går vidare till ${bank}.`,
    asksToCancelMarkup: ({ partner, company, bank }) =>
      html`<strong>${partner}</strong> ber dig avbryta den här betalningen för <strong>${company}</strong>. Kontrollera att det är rätt betalning innan du går vidare till ${bank}.`,
    together: 'Dessa signeras tillsammans, med en enda signatur.',
    continueToBank: (bank) => `Fortsätt till ${bank}`,
    continueInApp: 'Fortsätt i din app',
    cancel: 'Avbryt',
    keep: 'Behåll betalningen',
    signedAtBank: 'Du signerar på bankens egna sidor; ingenting signeras här. Länken är bara till för dig.',
    signedInApp: 'Du signerar i din egen app; ingenting signeras här. Länken är bara till för dig.',
  },
  person: {
    asksMarkup: ({ partner, company, bank }) =>
      html`<strong>${partner}</strong> ber dig signera för <strong>${company}</strong>, som ska bli kund genom dem. Kontrollera att allt stämmer innan du går vidare till ${bank}.`,
    signedThere: (name) => `Du signerar med ${name}, på deras egna sidor; inget signeras här. Länken är bara till dig.`,
    waiting: (name) => `Väntar på ${name}`,
    unavailable: (name) => `${name} svarar inte just nu. Du kan försöka igen om en minut.`,
    confirm: {
      givenMarkup: ({ partner, company, bank }) =>
        html`Du har legitimerat dig hos ${bank} för att signera för <strong>${company}</strong>, som ska bli kund genom <strong>${partner}</strong>. Det började i en annan webbläsare än den här, så det är inte signerat än. Det här skulle du signera:`,
      onlyIf: (partner) =>
        `Svara ja bara om du vet vad detta är och vill signera det för företaget, som kund genom ${partner}. Om någon har skickat en länk för att logga in till dig, svara nej: då signeras inget.`,
      yes: 'Ja, signera',
      no: 'Nej, signera inte',
    },
  },
  payroll: {
    total: (count) => (count === 1 ? '1 löneutbetalning' : `Summa av ${count} löneutbetalningar`),
    title: 'Signera löner',
    titleOfCancelling: 'Avbryt löneutbetalning',
    asksToCancelMarkup: ({ partner, company, bank }) =>
      html`<strong>${partner}</strong> ber dig avbryta den här löneutbetalningen för <strong>${company}</strong>. Kontrollera att det är rätt utbetalning innan du går vidare till ${bank}.`,
    keep: 'Behåll löneutbetalningen',
  },
  loggedIn: {
    title: 'Ett steg kvar',
    text: (bank) => `Du har loggat in hos ${bank}. Nu ger du åtkomsten där.`,
  },
  next: {
    title: (done, total) => `${done} av ${total} signerade`,
    oneAtATime: (bank) => `${bank} tar dessa en i taget. Den här är nästa.`,
    progress: (done, total) => `${done} av ${total}`,
    leaveRest: 'Lämna resten',
  },
  waiting: {
    title: 'Väntar på din bank',
    notYet: (bank) =>
      `${bank} har inte bekräftat än. Sidan tittar efter igen av sig själv; du behöver inte göra något.`,
    counts: 'Om du har signerat gäller din signatur även om du lämnar sidan.',
    back: (partner) => `Gå tillbaka till ${partner} utan att vänta`,
  },
  app: {
    title: 'Signera i din app',
    openApp: (bank) => `Öppna appen som du signerar med hos ${bank} och följ den.`,
    scan: 'Öppna BankID-appen, välj att skanna en QR-kod och rikta den mot den här.',
    codeAlternative: 'QR-kod att skanna med BankID-appen',
    looksAgain: 'Sidan tittar efter igen av sig själv och går vidare när du har signerat.',
    bankSays: (bank) => `${bank} säger:`,
  },
  confirm: {
    title: 'Var det du som började?',
    givenMarkup: ({ partner, company, bank }) =>
      html`Du har sagt ja hos ${bank} till att ge <strong>${partner}</strong> åtkomst till konton som tillhör <strong>${company}</strong>. Det började i en annan webbläsare än den här, så det gäller inte än.`,
    onlyIf: (partner) =>
      `Svara ja bara om du själv började i ${partner}. Om någon har skickat en länk till dig, svara nej: då får ingen åtkomst.`,
    yes: 'Ja, ge åtkomst',
    no: 'Nej, ge inte åtkomst',
  },
  result: {
    title: { success: 'Signerat', rejected: 'Inte signerat', cancelled: 'Inte slutfört' },
    cancellationSigned: 'Avbrottet är signerat',
    signed: (done, total) => `${done} av ${total} signerade.`,
    nothing: 'Ingenting signerades.',
    back: (partner) => `Tillbaka till ${partner}`,
  },
  used: {
    title: 'Länken har använts eller gått ut',
    text: 'En signeringslänk fungerar en gång, i en webbläsare, i några minuter. Gå tillbaka till programmet som skickade dig hit: det vet hur det står till och kan börja om vid behov.',
  },
  unknown: {
    title: 'Länken är okänd',
    text: 'Kanske kapades den på vägen. Öppna den igen från programmet som gav dig den.',
  },
  broken: {
    title: 'Något gick fel',
    text: 'Felet är vårt, inte ditt. Försök igen om en minut, eller gå tillbaka till programmet som skickade dig hit.',
    quote: (requestId) => `Ange ${requestId} om du ber om hjälp.`,
  },
  unavailable: {
    title: (bank) => `${bank} kan inte nås`,
    text: 'Banken svarar inte just nu. Du kan försöka igen om en minut.',
    nothingSigned: 'Ingenting signerades.',
    someSigned: 'Det du redan har signerat gäller; resten är inte signerat.',
    again: 'Försök igen',
  },
}
