import { Controller, Get, Post, Query, Param } from '@nestjs/common';
import { Hono } from 'hono';

@Controller('users')
export class UserController {
  @Get()
  list(@Query() query: string) {}

  @Get(':id')
  @UseGuards(Auth)
  find(@Param('id') id: string) {}

  @Post(['a', 'b'])
  create() {}

  @MessagePattern('user.made')
  made() {}

  @Cron('* * * * *')
  sweep() {}
}

@Controller({ path: 'cats', version: '1' })
export class CatController {
  @Get('all')
  all() {}
}

const hono = new Hono().basePath('/v2').get('/chained', one).post('/chained', two);
const sub = new Hono();
sub.get('/below', below);
hono.route('/sub', sub);

export class Server {
  public router = express.Router();
  constructor(private app: Express) {
    this.router.get('/field', this.handle.bind(this));
    app.patch('/typed', this.handle);
  }
  handle() {}
}
