/** The Finnish texts of the pages; names are placed where they need no case ending. */
import { html } from 'ghtml'
import type { ScaPageTexts } from './sca-page-texts.ts'

export const finnish: ScaPageTexts = {
  language: 'fi',
  numbers: { point: ',', group: '\u00a0' },
  labels: {
    amount: 'Määrä',
    receives: 'Saaja saa',
    rate: 'Vaihtokurssi',
    'sign-before': 'Allekirjoita ennen',
    to: 'Saaja',
    'to-account': 'Saajan tili',
    'through-account': 'Maksetaan tilin kautta',
    'from-account': 'Maksajan tili',
    date: 'Eräpäivä',
    message: 'Viesti',
    reference: 'Viite',
    company: 'Yritys',
    bank: 'Pankki',
    access: 'Käyttöoikeus',
    until: 'Voimassa',
    terms: 'Ehdot',
    fingerprint: 'Kaiken allekirjoitettavan tiiviste (SHA-256)',
    payouts: 'Palkkoja',
  },
  accessToAccounts: 'tilit, saldot ja tapahtumat',
  total: (count) => (count === 1 ? '1 maksu' : `Yhteensä ${count} maksua`),
  title: ({ kind, count }) =>
    ({
      consent: 'Anna pääsy tileihin',
      approval: count === 1 ? 'Allekirjoita maksu' : `Allekirjoita ${count} maksua`,
      cancellation: 'Peruuta maksu',
      onboarding: 'Allekirjoita yrityksen puolesta',
    })[kind],
  review: {
    asksMarkup: ({ partner, company, bank }) =>
      html`<strong>${partner}</strong> pyytää sinua allekirjoittamaan tämän. Yritys: <strong>${company}</strong>. Tarkista, että kaikki on oikein, ennen kuin jatkat pankkiin (${bank}).`,
    asksForAccessMarkup: ({ partner, company, bank }) =>
      html`<strong>${partner}</strong> pyytää pääsyä yrityksen tileihin. Yritys: <strong>${company}</strong>. Tarkista, että kaikki on oikein, ennen kuin jatkat pankkiin (${bank}).`,
    asksToCancelMarkup: ({ partner, company, bank }) =>
      html`<strong>${partner}</strong> pyytää sinua peruuttamaan tämän maksun. Yritys: <strong>${company}</strong>. Tarkista, että maksu on oikea, ennen kuin jatkat pankkiin (${bank}).`,
    together: 'Nämä allekirjoitetaan yhdessä, yhdellä allekirjoituksella.',
    continueToBank: (bank) => `Jatka pankkiin: ${bank}`,
    continueInApp: 'Jatka sovelluksessasi',
    cancel: 'Peruuta',
    keep: 'Säilytä maksu',
    signedAtBank: 'Allekirjoitat pankin omilla sivuilla; tässä ei allekirjoiteta mitään. Linkki on vain sinulle.',
    signedInApp: 'Allekirjoitat omassa sovelluksessasi; tässä ei allekirjoiteta mitään. Linkki on vain sinulle.',
  },
  person: {
    asksMarkup: ({ partner, company, bank }) =>
      html`<strong>${partner}</strong> pyytää sinua allekirjoittamaan yrityksen puolesta: <strong>${company}</strong>. Yrityksestä tulee asiakas sen kautta. Tarkista, että kaikki on oikein, ennen kuin jatkat: ${bank}.`,
    signedThere: (name) =>
      `Allekirjoitat palvelun omilla sivuilla (${name}); täällä ei allekirjoiteta mitään. Linkki on vain sinulle.`,
    waiting: (name) => `Odotetaan vahvistusta: ${name}`,
    unavailable: (name) => `Palvelu ei vastaa juuri nyt: ${name}. Voit yrittää uudelleen minuutin kuluttua.`,
    confirm: {
      givenMarkup: ({ partner, company, bank }) =>
        html`Olet tunnistautunut (${bank}) allekirjoittaaksesi yrityksen puolesta: <strong>${company}</strong>. Yrityksestä tulee asiakas palvelussa <strong>${partner}</strong>. Tämä aloitettiin toisessa selaimessa, joten sitä ei ole vielä allekirjoitettu. Allekirjoittaisit tämän:`,
      onlyIf: (partner) =>
        `Vastaa kyllä vain, jos tiedät, mistä on kyse, ja haluat allekirjoittaa yrityksen puolesta (${partner}). Jos joku lähetti sinulle kirjautumislinkin, vastaa ei: silloin mitään ei allekirjoiteta.`,
      yes: 'Kyllä, allekirjoita',
      no: 'Ei, älä allekirjoita',
    },
  },
  payroll: {
    total: (count) => (count === 1 ? '1 palkanmaksu' : `Yhteensä ${count} palkanmaksua`),
    title: 'Allekirjoita palkat',
    titleOfCancelling: 'Peruuta palkat',
    asksToCancelMarkup: ({ partner, company, bank }) =>
      html`<strong>${partner}</strong> pyytää sinua peruuttamaan tämän palkanmaksun. Yritys: <strong>${company}</strong>. Tarkista, että palkanmaksu on oikea, ennen kuin jatkat pankkiin (${bank}).`,
    keep: 'Säilytä palkanmaksu',
  },
  loggedIn: {
    title: 'Yksi vaihe jäljellä',
    text: (bank) => `Olet kirjautunut pankkiin (${bank}). Anna nyt pääsy siellä.`,
  },
  next: {
    title: (done, total) => `${done}/${total} allekirjoitettu`,
    oneAtATime: (bank) => `Pankki (${bank}) ottaa nämä yksi kerrallaan. Tämä on seuraava.`,
    progress: (done, total) => `${done}/${total}`,
    leaveRest: 'Jätä loput',
  },
  waiting: {
    title: 'Odotetaan pankkiasi',
    notYet: (bank) =>
      `Pankki (${bank}) ei ole vielä vahvistanut. Sivu tarkistaa tilanteen itsestään; sinun ei tarvitse tehdä mitään.`,
    counts: 'Jos olet allekirjoittanut, allekirjoitus on voimassa, vaikka poistut tältä sivulta.',
    back: (partner) => `Palaa odottamatta: ${partner}`,
  },
  app: {
    title: 'Allekirjoita sovelluksessasi',
    openApp: (bank) => `Avaa sovellus, jolla allekirjoitat (${bank}), ja seuraa sen ohjeita.`,
    scan: 'Avaa BankID-sovellus, valitse QR-koodin lukeminen ja osoita tätä koodia.',
    codeAlternative: 'BankID-sovelluksella luettava QR-koodi',
    looksAgain: 'Sivu tarkistaa tilanteen itsestään ja jatkaa, kun olet allekirjoittanut.',
    bankSays: (bank) => `Pankin ohje (${bank}):`,
  },
  confirm: {
    title: 'Aloititko tämän itse?',
    givenMarkup: ({ partner, company, bank }) =>
      html`Olet hyväksynyt pankissa (${bank}) pääsyn yrityksen tileihin. Pääsyn saaja: <strong>${partner}</strong>. Yritys: <strong>${company}</strong>. Tämä aloitettiin toisessa selaimessa, joten se ei ole vielä voimassa.`,
    onlyIf: (partner) =>
      `Vastaa kyllä vain, jos aloitit tämän itse (${partner}). Jos joku lähetti sinulle linkin, vastaa ei: silloin kukaan ei saa pääsyä.`,
    yes: 'Kyllä, anna pääsy',
    no: 'Ei, älä anna pääsyä',
  },
  result: {
    title: { success: 'Allekirjoitettu', rejected: 'Ei allekirjoitettu', cancelled: 'Jäi kesken' },
    cancellationSigned: 'Peruutus allekirjoitettu',
    signed: (done, total) => `${done}/${total} allekirjoitettu.`,
    nothing: 'Mitään ei allekirjoitettu.',
    back: (partner) => `Takaisin: ${partner}`,
  },
  used: {
    title: 'Linkki on käytetty tai vanhentunut',
    text: 'Allekirjoituslinkki toimii kerran, yhdessä selaimessa, muutaman minuutin ajan. Palaa ohjelmaan, joka lähetti sinut tänne: se tietää tilanteen ja voi tarvittaessa aloittaa alusta.',
  },
  unknown: {
    title: 'Linkkiä ei tunneta',
    text: 'Ehkä se katkesi matkalla. Avaa se uudelleen ohjelmasta, josta sait sen.',
  },
  broken: {
    title: 'Jokin meni vikaan',
    text: 'Vika on meidän, ei sinun. Yritä minuutin kuluttua uudelleen tai palaa ohjelmaan, joka lähetti sinut tänne.',
    quote: (requestId) => `Jos pyydät apua, mainitse ${requestId}.`,
  },
  unavailable: {
    title: (bank) => `Pankkiin ei saada yhteyttä: ${bank}`,
    text: 'Pankki ei vastaa juuri nyt. Voit yrittää uudelleen minuutin kuluttua.',
    nothingSigned: 'Mitään ei allekirjoitettu.',
    someSigned: 'Jo allekirjoittamasi on voimassa; loppuja ei ole allekirjoitettu.',
    again: 'Yritä uudelleen',
  },
}
