/** The English texts of the pages. */
import { html } from 'ghtml'
import type { ScaPageTexts } from './sca-page-texts.ts'

export const english: ScaPageTexts = {
  language: 'en',
  numbers: { point: '.', group: '\u00a0' },
  labels: {
    amount: 'Amount',
    receives: 'Receiver gets',
    rate: 'Exchange rate',
    'sign-before': 'Sign before',
    to: 'To',
    'to-account': 'To account',
    'through-account': 'Paid through account',
    'from-account': 'From account',
    date: 'Date',
    message: 'Message',
    reference: 'Reference',
    company: 'Company',
    bank: 'Bank',
    access: 'Access to',
    until: 'Until',
    terms: 'Terms',
    fingerprint: 'Fingerprint of everything you sign (SHA-256)',
    payouts: 'Payouts',
  },
  accessToAccounts: 'accounts, balances and transactions',
  total: (count) => (count === 1 ? '1 payment' : `Total of ${count} payments`),
  title: ({ kind, count }) =>
    ({
      consent: 'Give access to accounts',
      approval: count === 1 ? 'Sign a payment' : `Sign ${count} payments`,
      cancellation: 'Cancel a payment',
      onboarding: 'Sign for a company',
    })[kind],
  review: {
    asksMarkup: ({ partner, company, bank }) =>
      html`<strong>${partner}</strong> asks you to sign this for <strong>${company}</strong>. Check that everything is right before you continue to ${bank}.`,
    asksForAccessMarkup: ({ partner, company, bank }) =>
      html`<strong>${partner}</strong> asks for access to accounts of <strong>${company}</strong>. Check that everything is right before you continue to ${bank}.`,
    asksToCancelMarkup: ({ partner, company, bank }) =>
      html`<strong>${partner}</strong> asks you to cancel this payment of <strong>${company}</strong>. Check that it is the right one before you continue to ${bank}.`,
    together: 'These are signed together, with one signature.',
    continueToBank: (bank) => `Continue to ${bank}`,
    continueInApp: 'Continue in your app',
    cancel: 'Cancel',
    keep: 'Keep the payment',
    signedAtBank: 'You sign on the bank’s own pages; nothing is signed here. The link is only for you.',
    signedInApp: 'You sign in your own app; nothing is signed here. The link is only for you.',
  },
  person: {
    asksMarkup: ({ partner, company, bank }) =>
      html`<strong>${partner}</strong> asks you to sign for <strong>${company}</strong>, which is to become a customer through it. Check that everything is right before you continue to ${bank}.`,
    signedThere: (name) => `You sign with ${name}, on its own pages; nothing is signed here. The link is only for you.`,
    waiting: (name) => `Waiting for ${name}`,
    unavailable: (name) => `${name} does not answer right now. You can try again in a minute.`,
    confirm: {
      givenMarkup: ({ partner, company, bank }) =>
        html`You have identified yourself at ${bank} to sign for <strong>${company}</strong>, which is to become a customer through <strong>${partner}</strong>. This was started in another browser, so it is not signed yet. This is what you would sign:`,
      onlyIf: (partner) =>
        `Say yes only if you know what this is and want to sign it for the company, as a customer through ${partner}. If someone sent you a link to sign in with, say no: then nothing is signed.`,
      yes: 'Yes, sign',
      no: 'No, do not sign',
    },
  },
  payroll: {
    total: (count) => (count === 1 ? '1 payroll' : `Total of ${count} payrolls`),
    title: 'Sign payroll',
    titleOfCancelling: 'Cancel payroll',
    asksToCancelMarkup: ({ partner, company, bank }) =>
      html`<strong>${partner}</strong> asks you to cancel this payroll of <strong>${company}</strong>. Check that it is the right one before you continue to ${bank}.`,
    keep: 'Keep the payroll',
  },
  loggedIn: {
    title: 'One step left',
    text: (bank) => `You have logged in at ${bank}. Now give access there.`,
  },
  next: {
    title: (done, total) => `${done} of ${total} signed`,
    oneAtATime: (bank) => `${bank} takes these one at a time. This is what comes next.`,
    progress: (done, total) => `${done} of ${total}`,
    leaveRest: 'Leave the rest',
  },
  waiting: {
    title: 'Waiting for your bank',
    notYet: (bank) => `${bank} has not confirmed yet. This page refreshes by itself; you do not need to do anything.`,
    counts: 'If you have signed, your signature counts even when you leave this page.',
    back: (partner) => `Go back to ${partner} without waiting`,
  },
  app: {
    title: 'Sign in your app',
    openApp: (bank) => `Open the app in which you sign for ${bank}, and follow it.`,
    scan: 'Open your BankID app, choose to scan a QR code, and point it at this one.',
    codeAlternative: 'QR code to scan with your BankID app',
    looksAgain: 'This page refreshes by itself, and continues when you have signed.',
    bankSays: (bank) => `${bank} says:`,
  },
  confirm: {
    title: 'Did you start this?',
    givenMarkup: ({ partner, company, bank }) =>
      html`You have said yes at ${bank} to giving <strong>${partner}</strong> access to accounts of <strong>${company}</strong>. This was started in another browser, so it is not in force yet.`,
    onlyIf: (partner) =>
      `Say yes only if you started this yourself in ${partner}. If someone sent you a link, say no: then no access is given.`,
    yes: 'Yes, give access',
    no: 'No, do not give access',
  },
  result: {
    title: { success: 'Signed', rejected: 'Not signed', cancelled: 'Not finished' },
    cancellationSigned: 'Cancellation signed',
    signed: (done, total) => `${done} of ${total} signed.`,
    nothing: 'Nothing was signed.',
    back: (partner) => `Back to ${partner}`,
  },
  used: {
    title: 'This link has been used or has expired',
    text: 'A signing link works once, in one browser, for a few minutes. Go back to the program that sent you here: it knows the status, and can start again if needed.',
  },
  unknown: {
    title: 'Unknown link',
    text: 'It may be incomplete. Open it again from the program that gave it to you.',
  },
  broken: {
    title: 'Something went wrong',
    text: 'This is our error, not yours. Try again in a minute, or go back to the program that sent you here.',
    quote: (requestId) => `If you ask for help, quote ${requestId}.`,
  },
  unavailable: {
    title: (bank) => `${bank} cannot be reached`,
    text: 'The bank does not answer right now. You can try again in a minute.',
    nothingSigned: 'Nothing was signed.',
    someSigned: 'What you have already signed counts; the rest is not signed.',
    again: 'Try again',
  },
}
