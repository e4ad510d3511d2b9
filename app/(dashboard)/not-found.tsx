export { MissingPage as default } from '@/app/failures';
