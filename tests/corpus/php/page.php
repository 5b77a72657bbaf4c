<!DOCTYPE html>
<html>
<?php
use App\View\Helper as H;

$title = 'Home';
class Page { public $title; }
?>
<body class="page">
  <h1><?= H::escape($title) ?></h1>
  <?php foreach ($rows as $row): ?>
    <li><?php echo $row['name']; ?></li>
  <?php endforeach; ?>
  <?php function footer(Page $page) { return $page->title; } ?>
</body>
<?php echo footer(new Page);
