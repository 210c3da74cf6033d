/** What mail looks like in one language. */
export interface Locale {
  readonly language: string;
  readonly people: readonly string[];
  readonly companies: readonly string[];
  readonly sentences: readonly string[];
  readonly labels: readonly string[];
  readonly greeting: string;
  /** Digits in groups of three, and what is before the cents; no cents without it. */
  readonly grouping: string;
  readonly decimal: string;
  readonly money: (amount: string) => string;
  readonly months: readonly string[];
  readonly date: (day: number, month: string) => string;
  /** Country and digits of an account, or the digits alone. */
  readonly account: readonly [country: string, digits: number];
  readonly phone: string;
  readonly top: string;
  /** A character set of one byte a character that mail of this language is still written in. */
  readonly charset?: string;
}

const european = (day: number, month: string): string => `${day} ${month} 2026`;

export const locales: readonly Locale[] = [
  {
    language: 'en',
    people: ['Ada Lovelace', 'Grace Hopper', 'Oliver Whitfield', 'Emily Thornton'],
    companies: ['Harbour & Sons Ltd', 'Northgate Holdings', 'Kestrel Supplies Inc.'],
    sentences: [
      'Please find the invoice for this month below.',
      'Our bank details have changed since the last order.',
      'Let me know if anything is missing, and have a good weekend.',
    ],
    labels: ['Account', 'Pay to', 'Total', 'Contact'],
    greeting: 'Kind regards',
    grouping: ',',
    decimal: '.',
    money: (amount) => `$${amount}`,
    months: ['November', 'December'],
    date: (day, month) => `${month} ${day}, 2026`,
    account: ['GB29NWBK', 14],
    phone: '+44 20 7946 ',
    top: 'co.uk',
    charset: 'windows-1252',
  },
  {
    language: 'de',
    people: ['Jürgen Müller', 'Käthe Weiß', 'Anneliese Schröder', 'Sören Großmann'],
    companies: ['Bäckerei Übelhör GmbH', 'Stahlbau Köhler AG', 'Gebrüder Weiß OHG'],
    sentences: [
      'anbei erhalten Sie die Rechnung für den laufenden Monat.',
      'Bitte beachten Sie unsere geänderte Bankverbindung.',
      'Für Rückfragen stehen wir gerne zur Verfügung.',
    ],
    labels: ['Konto', 'Empfänger', 'Betrag', 'Rückfragen'],
    greeting: 'Mit freundlichen Grüßen',
    grouping: '.',
    decimal: ',',
    money: (amount) => `${amount} €`,
    months: ['November', 'März'],
    date: (day, month) => `${day}. ${month} 2026`,
    account: ['DE', 20],
    phone: '+49 30 55 ',
    top: 'de',
    charset: 'iso-8859-15',
  },
  {
    language: 'fr',
    people: ['Amélie Lefèvre', 'François Dubois', 'Zoé d’Angelo', 'Benoît Château'],
    companies: ['Société Générique SA', 'Pâtisserie Légère SARL', 'Établissements Noël'],
    sentences: [
      'veuillez trouver ci-joint la facture du mois en cours.',
      'Nos coordonnées bancaires ont changé depuis l’été.',
      'N’hésitez pas à nous écrire pour toute question.',
    ],
    labels: ['Compte', 'Bénéficiaire', 'Montant', 'Renseignements'],
    greeting: 'Bien cordialement',
    grouping: '\u202f',
    decimal: ',',
    money: (amount) => `${amount}\u00a0€`,
    months: ['février', 'décembre'],
    date: european,
    account: ['FR', 23],
    phone: '+33 6 12 34 ',
    top: 'fr',
    charset: 'iso-8859-15',
  },
  {
    language: 'es',
    people: ['José Muñoz', 'María Ibáñez', 'Íñigo Peña', 'Lucía Núñez'],
    companies: ['Construcciones Peñalver SL', 'Almacenes Güell SA', 'Viñedos del Niño'],
    sentences: [
      'le adjuntamos la factura del mes en curso.',
      '¿Podría confirmar la recepción? ¡Muchas gracias!',
      'Nuestra cuenta bancaria cambió la semana pasada.',
    ],
    labels: ['Cuenta', 'Destinatario', 'Importe', 'Teléfono'],
    greeting: 'Un cordial saludo',
    grouping: '.',
    decimal: ',',
    money: (amount) => `${amount} EUR`,
    months: ['noviembre', 'marzo'],
    date: (day, month) => `${day} de ${month} de 2026`,
    account: ['ES', 22],
    phone: '+34 612 34 ',
    top: 'es',
    charset: 'iso-8859-1',
  },
  {
    language: 'ru',
    people: ['Иван Петров', 'Наталья Щербакова', 'Фёдор Яковлев', 'Ольга Жукова'],
    companies: ['ООО Вектор Плюс', 'АО Северный Поток', 'ИП Щукин и Партнёры'],
    sentences: [
      'направляем счёт за текущий месяц.',
      'Обратите внимание: наши реквизиты изменились.',
      'Если есть вопросы, пишите нам в любое время.',
    ],
    labels: ['Счёт', 'Получатель', 'Сумма', 'Телефон'],
    greeting: 'С уважением',
    grouping: '\u00a0',
    decimal: ',',
    money: (amount) => `${amount} руб.`,
    months: ['ноября', 'декабря'],
    date: (day, month) => `${day} ${month} 2026 г.`,
    account: ['', 20],
    phone: '+7 495 123 ',
    top: 'ru',
    charset: 'koi8-r',
  },
  {
    language: 'ja',
    people: ['小野寺 健太郎', '五十嵐 美智子', '長谷川 隆之介', '佐々木 真由美'],
    companies: ['株式会社アクメ商事', '東京みなと運輸株式会社', 'ガリレオ製作所'],
    sentences: [
      'いつもお世話になっております。',
      '今月分の請求書をお送りいたします。',
      'ご不明な点がございましたら、ご連絡ください。',
    ],
    labels: ['口座番号', '受取人', '合計', '連絡先'],
    greeting: 'よろしくお願いいたします。',
    grouping: ',',
    decimal: '',
    money: (amount) => `${amount}円`,
    months: ['11', '12'],
    date: (day, month) => `2026年${month}月${day}日`,
    account: ['', 14],
    phone: '+81 3 4567 ',
    top: 'co.jp',
  },
];
