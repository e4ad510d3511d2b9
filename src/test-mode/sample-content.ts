import type { CreateSpaceInput } from '../spaces/schema';
import type { CreateTestimonialInput } from '../testimonials/schema';

/** A testimonial to be made, and what of it is a file. */
type Sample = Omit<CreateTestimonialInput, 'space_id'> & {
  hasAvatar?: boolean;
  hasVideo?: boolean;
};

export const sampleSpace: CreateSpaceInput = {
  name: 'Sample space',
  description: 'Made up, to try things out with.',
  primary_color: '#1A73E8',
  custom_questions: ['What was it like before?', 'What changed?'],
};

const long = `I have put off writing this for weeks, because there is so much to say. We are a workshop of nine people, and until last spring every question of a customer went to whoever happened to stand next to the telephone.

What we tried first was a shared mailbox. Two of us answered the same letter, nobody answered the next one, and in August we lost an order of forty chairs because the reply sat in somebody's drafts.

Then a friend showed us this. We moved over on a Friday afternoon, and by Monday everybody could see what was open, who had it, and since when. There was a day when we cursed it, when we had set the rules up wrongly and all mails went to the apprentice. Support called back within ten minutes, stayed on the line until it was mended, and sent a note the day after to ask whether it still held.

Half a year later we answer within the hour, the apprentice has become the best of us at it, and the orders come in without anybody shouting across the workshop. If you are small and think that such tools are for others: they are not.`;

const person = (name: string, company?: string, role?: string) => ({
  type: 'text' as const,
  submitter_name: name,
  submitter_email: `${name.toLowerCase().replace(/[^a-z]+/g, '.')}@example.com`,
  ...(company && { submitter_company: company }),
  ...(role && { submitter_role: role }),
});

/** A dozen, of every status and rating, with and without what is optional. Newest last. */
export const samples: Sample[] = [
  {
    ...person('Ines Marchetti', 'Northwind', 'Head of Support'),
    text_content: 'Set up in a morning. We answer most questions within the hour now.',
    rating: 5,
    status: 'approved',
    hasAvatar: true,
  },
  {
    ...person('Tom Okafor', 'Harbour Coffee'),
    text_content: 'Does what it says, and the people behind it reply.',
    rating: 4,
    status: 'approved',
    hasAvatar: true,
  },
  {
    ...person('Greta Holm', 'Holm & Daughters', 'Owner'),
    text_content: long,
    rating: 5,
    status: 'approved',
  },
  {
    ...person('Yusuf Demir', undefined, 'Photographer'),
    text_content: 'Good value. I miss an app for my telephone.',
    rating: 3,
    status: 'approved',
    hasAvatar: true,
  },
  {
    ...person('Mei Lin Zhou', '海风工作室'),
    text_content: '用起来很顺手，客服也很快。👍',
    rating: 5,
    status: 'pending',
  },
  {
    ...person('Paul'),
    text_content: 'Nice.',
    status: 'pending',
  },
  {
    ...person('Sarah Lindqvist', 'Clearwater Courses', 'Programme Lead'),
    text_content: 'The import took our old letters over without a single one lost.',
    rating: 4,
    status: 'pending',
    hasAvatar: true,
  },
  {
    ...person('Rachel Adeyemi', 'Juniper Dental', 'Practice Manager'),
    type: 'video',
    text_content: 'A short video with a text beside it.',
    rating: 5,
    status: 'pending',
    hasVideo: true,
  },
  {
    ...person('Omar Haddad', 'عيادة الأرز'),
    text_content: 'خدمة ممتازة وسهلة الاستخدام.',
    rating: 4,
    status: 'pending',
  },
  {
    ...person('Ben Carter', 'Pedal & Post'),
    text_content: 'It took three tries until the mail with the link arrived. After that, fine.',
    rating: 2,
    status: 'rejected',
  },
  {
    ...person('Great Deals', 'Buy now'),
    text_content: 'Visit our shop for the best prices!!!',
    rating: 1,
    status: 'rejected',
  },
  {
    ...person('Lucía Fernández', 'Estudio Norte', 'Arquitecta'),
    text_content: '«Lo recomendaría sin dudarlo», dije a mi socia, y ella ya lo usaba.',
    rating: 5,
    status: 'pending',
    hasAvatar: true,
  },
];
