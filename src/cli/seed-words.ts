/** The words that seeded spaces and testimonials are put together from. */

type Words<T = string> = readonly [T, ...T[]];

export type Theme = {
  name: string;
  description: string;
  colour: string;
  questions: string[];
  /** What is praised or blamed, as it stands in a sentence. */
  thing: string;
  /** What it brought, after "which means". */
  gains: Words;
};

export const themes: Words<Theme> = [
  {
    name: 'Northwind Support Desk',
    description: 'What customers say about our help desk software.',
    colour: '#1A73E8',
    questions: ['What was support like before?', 'What changed for your team?'],
    thing: 'the support desk',
    gains: ['we answer most tickets within the hour', 'nobody asks twice who owns a ticket'],
  },
  {
    name: 'Lumen Analytics',
    description: 'Feedback on the dashboards and the weekly report.',
    colour: '#7B3FE4',
    questions: ['Which decision did it help you make?'],
    thing: 'the dashboard',
    gains: ['the Monday meeting is half as long', 'we saw the drop in sign-ups the same day'],
  },
  {
    name: 'Harbour Coffee Roasters',
    description: 'Letters from cafés and subscribers.',
    colour: '#6F4E37',
    questions: ['Which roast do you drink?', 'Who would you recommend us to?'],
    thing: 'the subscription',
    gains: ['our regulars ask what is on the grinder', 'we have not run out of beans since'],
  },
  {
    name: 'Juniper Dental',
    description: 'Patients on their visits.',
    colour: '#2E9E7A',
    questions: ['How did you feel before and after your visit?'],
    thing: 'the practice',
    gains: ['my son goes there without being asked twice', 'I stopped putting off check-ups'],
  },
  {
    name: 'Pedal & Post Bike Workshop',
    description: 'Repairs, services and built-to-order bikes.',
    colour: '#D9480F',
    questions: ['What did we fix?'],
    thing: 'the workshop',
    gains: ['the gears have been silent all winter', 'I got my commute back in two days'],
  },
  {
    name: 'Clearwater Courses',
    description: 'Graduates of the evening programme in data and design.',
    colour: '#0B7285',
    questions: ['What can you do now that you could not before?', 'What was hard?'],
    thing: 'the course',
    gains: ['I changed jobs within three months', 'I finally read my own charts with confidence'],
  },
  {
    name: 'Stillwater Yoga',
    description: 'Members of the studio, in their own words.',
    colour: '#9C36B5',
    questions: ['What keeps you coming back?'],
    thing: 'the studio',
    gains: ['my back no longer wakes me up', 'I have an hour a week that is mine'],
  },
  {
    name: 'Ferry Lane Accounting',
    description: 'Small firms whose books we keep.',
    colour: '#364FC7',
    questions: ['How much time do you save each month?'],
    thing: 'the bookkeeping service',
    gains: ['closing the month takes a morning', 'the last audit had no findings'],
  },
];

export const firstNames: Words = [
  'Amara',
  'Benoît',
  'Chiara',
  'Dmitri',
  'Elif',
  'Fatima',
  'Gareth',
  'Hana',
  'Ivan',
  'Jasmine',
  'Kofi',
  'Lena',
  'Mateo',
  'Ngozi',
  'Oskar',
  'Priya',
  'Quentin',
  'Rosa',
  'Søren',
  'Tomasz',
  'Uma',
  'Valentina',
  'Wei',
  'Ximena',
  'Yusuf',
  'Zoë',
];

export const lastNames: Words = [
  'Adeyemi',
  'Bianchi',
  'Castillo',
  'Dubois',
  'Eriksen',
  'Fischer',
  'García',
  'Haddad',
  'Ito',
  'Jensen',
  'Kowalski',
  'Lindqvist',
  'Mbeki',
  'Nakamura',
  "O'Connor",
  'Patel',
  'Quiroga',
  'Rossi',
  'Šimić',
  'Tanaka',
  'Usman',
  'Vargas',
  'Williams',
  'Xu',
  'Yılmaz',
  'Zhang',
];

export const companies: Words = [
  'Alder & Finch',
  'Blue Kettle',
  'Cobalt Freight',
  'Dovetail Studio',
  'Everline Health',
  'Fieldnote',
  'Grand Union Books',
  'Hexagon Labs',
  'Inkwell Press',
  'Kestrel Energy',
  'Lantern Hotels',
  'Marrow Foods',
  'Nimbus Travel',
  'Orchard Bank',
  'Pinecone Toys',
  'Quarry Construction',
  'Riverbend Schools',
  'Saltworks',
  'Tessera Design',
  'Umbra Films',
];

export const roles: Words = [
  'Founder',
  'Head of Support',
  'Operations Manager',
  'Product Designer',
  'Marketing Lead',
  'Software Engineer',
  'Office Manager',
  'Chief Executive',
  'Data Analyst',
  'Teacher',
  'Shop Owner',
  'Customer Success Manager',
];

type Wording = { openings: Words; middles: Words; endings: Words };

/** `{thing}` and `{gain}` are the theme's, `{n}` is a number. */
export const wordings: Record<'glad' | 'mixed' | 'sorry', Wording> = {
  glad: {
    openings: [
      'I was sceptical at first, but {thing} won me over within {n} days.',
      'We have relied on {thing} for {n} months and would not go back.',
      'Simply put: {thing} does what it promises.',
      'After trying {n} others, {thing} is the one we kept.',
      'I recommend {thing} to everyone who asks, and to some who do not.',
      'From the first day {thing} felt made for people like us.',
      'What I like most about {thing} is how little I have to think about it.',
      'Wonderful. I wish we had found {thing} {n} months earlier.',
    ],
    middles: [
      'The difference shows every day: {gain}.',
      'Thanks to that, {gain}.',
      'The best part is that {gain}.',
      'It took a week to settle in, and since then {gain}.',
      'Questions are answered by a person who knows the answer, and {gain}.',
      'My colleagues noticed before I did: {gain}.',
    ],
    endings: [
      'Worth every cent.',
      'Thank you to the whole team!',
      'Five friends have signed up since I told them.',
      'I would choose it again tomorrow.',
      'Keep doing what you do.',
      'It paid for itself in {n} weeks.',
    ],
  },
  mixed: {
    openings: [
      'All in all {thing} is fine, with some rough edges.',
      'There is a lot to like about {thing}, and a few things to mend.',
      'It took us {n} weeks to get used to {thing}.',
    ],
    middles: [
      'On the good side, {gain}.',
      'The start was confusing, though the team helped.',
      'I had expected more for the price.',
    ],
    endings: [
      'I am curious to see how it develops.',
      'We will stay for now.',
      'Three stars, with hope for four.',
    ],
  },
  sorry: {
    openings: [
      'Sadly {thing} was not for us.',
      'I waited {n} days for an answer.',
      'I wanted to like {thing}, but too much went wrong.',
    ],
    middles: [
      'The promised call never came.',
      'We were charged twice and had to ask for the money back.',
      'What was shown to us and what we got were two things.',
    ],
    endings: [
      'To be fair, the refund was quick.',
      'I hope this helps you improve.',
      'We have moved on.',
    ],
  },
};
